package tidemark.delivery;

/** How a session ended that did not fail. */
enum SessionEnd {
    /** By a stop that was asked for: everything is settled. */
    STOPPED,
    /** Everything is settled, and the next session is to begin at once, from the position that was held. */
    GOES_BACK
}
