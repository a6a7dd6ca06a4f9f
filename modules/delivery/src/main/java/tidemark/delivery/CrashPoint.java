package tidemark.delivery;

import java.util.Locale;

/**
 * Where a process may be told to end itself, in the order in which a batch passes by. docs/operations.md is generated
 * from it.
 */
public enum CrashPoint {
    AFTER_READ(
            "a row of batch N was read from the stream, and nothing of it encoded", "what was only read is read again"),
    AFTER_ENCODE(
            "a row of batch N was encoded, and the batch not sent", "rows that wait in the open batch are read again"),
    BEFORE_POST(
            "batch N is cut, and its first POST about to leave",
            "a batch is never believed to be sent because it was cut"),
    AFTER_POST_BEFORE_REPLY(
            "Feldera took a POST of batch N, and its reply was not looked at",
            "a request whose outcome nobody knows is waited out and replayed, not lost and not put over newer rows"),
    BETWEEN_TABLES_OF_A_BATCH(
            "one table's rows of batch N, or of the next that has several tables, were accepted, and the next table's not sent",
            "half a batch in Feldera is no reason to confirm any of it, nor to leave the other half out"),
    AFTER_ACCEPT("every POST of batch N was accepted, and none is known to be complete", "accepted is not completed"),
    AFTER_COMPLETE(
            "batch N is complete, and its position not yet in the state file", "it is replayed, and nothing else"),
    AFTER_MARK_BEFORE_CONFIRM(
            "the state file has the position of batch N, and PostgreSQL was not told",
            "a slot behind the state file is taken for what it is: PostgreSQL replays, and the slot is moved forward again"),
    AFTER_CONFIRM_BEFORE_PERSIST(
            "the status reply with the position of batch N was sent, and PostgreSQL has not stored it",
            "kill PostgreSQL too, and its slot falls back behind what was confirmed: it is replayed"),
    MID_SNAPSHOT(
            "batch N of a copy was accepted, and rows of the copy are missing",
            "a copy that broke is begun anew, also over rows that were changed or deleted meanwhile"),
    MID_TRUNCATE(
            "batch N of the rows that a TRUNCATE retracts is about to be sent, and some of the others were",
            "a TRUNCATE that broke is begun anew, and retracts what is left"),
    MID_RESYNC(
            "batch N of the differences of a table that is read again beside the stream is about to be sent, and some of the others were",
            "a table that is half mended is merged before the next session streams, and the others lose nothing");

    private final String moment;
    private final String proves;

    CrashPoint(String moment, String proves) {
        this.moment = moment;
        this.proves = proves;
    }

    /** The moment, in words; N is {@code crash.after-batches}. */
    public String moment() {
        return moment;
    }

    /** What a restart afterwards shows. */
    public String proves() {
        return proves;
    }

    /** As {@code crash.at} spells it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
