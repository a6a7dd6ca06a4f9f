package tidemark.delivery;

/**
 * What a person can do where Feldera's tables and PostgreSQL's may differ, or a row of the WAL cannot be delivered: the
 * gentle way, in which no reader sees a table empty (docs/adr/0016), and the other one.
 */
final class Remedy {
    /** What lets it be read again. */
    static final String RESNAPSHOT = "snapshot.on-state-loss=resnapshot (and snapshot.mode=initial)";

    /** Where the stream has to be left: the next start makes another slot. */
    static final String MERGE_ALL = "drop the slot (tidemark slot drop) and start with " + RESNAPSHOT
            + ", and every table is read again and merged with what Feldera has";

    /** What is refused is in the WAL, and no later change of the table takes it out again. */
    static final String READ_AGAIN =
            "to go on now " + MERGE_ALL + "; or restart the pipeline empty and start with the same";

    /** Where Feldera does not say what it has. */
    static final String RESTART_EMPTY =
            "to go on now restart the pipeline empty and start with " + RESNAPSHOT + ", and every table is copied";

    /** Of what a person has to decide. */
    static final String MEND =
            "Start once with " + RESNAPSHOT + ": what was lost is read again, and what Feldera has of it is mended.";

    /** Where the state file is not of these ends. */
    static final String START_OVER =
            "To start over: remove the state file, " + MERGE_ALL + "; or, with stop, restart the pipeline empty, too.";

    private Remedy() {}
}
