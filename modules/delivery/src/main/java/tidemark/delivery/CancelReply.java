package tidemark.delivery;

/** What comes of asking for a table not to be read again after all. */
public sealed interface CancelReply {
    /** It has not begun and will not, or ends at the next turn; its state then is {@code failed}. */
    record Cancelled() implements CancelReply {}

    /** Nobody asked for it, or it is over. */
    record NotUnderWay() implements CancelReply {}

    /** Differences were sent: only the rest of them makes the table whole. */
    record TooLate() implements CancelReply {}

    /** It is not in {@code tables}. */
    record UnknownTable() implements CancelReply {}
}
