package tidemark.delivery;

/** What comes of asking for a table to be read again; what becomes of it is in the status. */
public sealed interface ResyncReply {
    /** It is next, or behind others that were asked for before. */
    record Accepted() implements ResyncReply {}

    /** It was asked for before, and is not over. */
    record UnderWay() implements ResyncReply {}

    /** It is not in {@code tables}. */
    record UnknownTable() implements ResyncReply {}

    /** Only beside a stream is a table read again; ask later. */
    record NotStreaming() implements ResyncReply {}

    /** It cannot be read again, for a reason that is known before. */
    record Refused(String what, String remedy) implements ResyncReply {}
}
