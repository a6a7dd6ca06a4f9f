package tidemark.delivery;

/**
 * What a person can do where Feldera's tables and PostgreSQL's may differ, or a row of the WAL cannot be delivered: the
 * gentle way, in which no reader sees a table empty (docs/adr/0016), and the other one.
 */
final class Remedy {
    private static final String RESNAPSHOT = "snapshot.on-state-loss=resnapshot and snapshot.mode=initial";
    private static final String MERGED = "read again and merged with what Feldera has";

    /** Where the stream has to be left: the next start makes another slot. */
    static final String MERGE_ALL =
            "drop the slot (tidemark slot drop) and start with %s, and every table is %s".formatted(RESNAPSHOT, MERGED);

    /** What is refused is in the WAL, and no later change of the table takes it out again. */
    static final String READ_AGAIN = "to go on now " + MERGE_ALL + "; or restart the pipeline empty";

    /** Where Feldera does not say what it has. */
    static final String RESTART_EMPTY = "to go on now restart the pipeline empty, and every table is read again";

    /** For who said that nothing is to be read again unasked, or that nothing is to be copied. */
    static final String MERGE_ONCE = "start once with %s, and what may differ is %s".formatted(RESNAPSHOT, MERGED);

    static final String MERGE = "S" + MERGE_ONCE.substring(1) + ".";

    /** Where the state file belongs to something else. */
    static final String START_OVER =
            "To start over: remove the state file, %s; or, with stop, restart the pipeline empty.".formatted(MERGE_ALL);

    private Remedy() {}
}
