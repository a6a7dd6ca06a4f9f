package tidemark.delivery;

/** How the process ends, and what a supervisor makes of it: start again on 69, 70 and 75. */
public enum ExitCode {
    DRAINED(0, "drained stop"),
    DIFFERENT(1, "verify or the demo found a difference"),
    USAGE(64, "usage of the command line"),
    DATA(65, "data that the source cannot give or the destination cannot take, or malformed WAL"),
    UNREACHABLE(
            69,
            "nothing moved for session.give-up-after: a peer is out of reach or stands still, or a copy or a large transaction"
                    + " breaks off again and again"),
    BROKEN_INVARIANT(70, "a broken invariant, or a named crash point"),
    TEMPORARY(75, "temporary, start me again: slot busy, stop budget spent"),
    PROTOCOL(76, "a peer does not speak its protocol"),
    CREDENTIALS(77, "credentials or privileges"),
    CONFIGURATION(78, "configuration, unreadable state, slot lost, or state lost with policy stop");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    public int code() {
        return code;
    }

    public String meaning() {
        return meaning;
    }
}
