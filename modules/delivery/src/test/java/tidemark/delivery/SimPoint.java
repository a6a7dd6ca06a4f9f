package tidemark.delivery;

/** Where something can strike between two steps of the world. */
enum SimPoint {
    BEFORE_WRITE,
    AFTER_WRITE,
    POST_LEAVES,
    POST_TAKEN,
    POST_ANSWERED,
    COMPLETED,
    STATUS_SENT,
    STATUS_STORED,
    SESSION_OPENED,
    SLOT_LOOKED,
    SLOT_MADE,
    ROW_COPIED,
    STREAM_BEGUN,
    MESSAGE_READ,
    QUERIED,
    COPY_BEGINS
}
