package tidemark.replication;

import tidemark.replication.SourceFailure.Kind;

/**
 * What a slot is made with and streamed with beyond the ordinary, as newer servers can.
 *
 * @param failover the slot is kept in step on standbys that ask for it, so that it outlives a failover; 17 and later
 * @param origin whose changes are streamed; 16 and later
 */
public record SlotOptions(boolean failover, Origin origin) {
    public static final SlotOptions ORDINARY = new SlotOptions(false, Origin.ANY);

    private static final int FAILOVER_SINCE = 17;
    private static final int ORIGIN_SINCE = 16;

    /** PostgreSQL's words for a subscription's {@code origin}. */
    public enum Origin {
        /** All changes. */
        ANY,
        /** Only those that were not themselves replicated to the source. */
        NONE
    }

    /** Refused by name: an older server would say "unrecognized option", or nothing at all. */
    void requireSupported(int serverMajor) {
        if (failover && serverMajor < FAILOVER_SINCE) throw tooOld("slot-failover=true", FAILOVER_SINCE, serverMajor);
        if (origin == Origin.NONE && serverMajor < ORIGIN_SINCE) throw tooOld("origin=none", ORIGIN_SINCE, serverMajor);
    }

    private static SourceFailure tooOld(String setting, int since, int serverMajor) {
        return new SourceFailure(
                Kind.MISCONFIGURED,
                "use postgres.%s with PostgreSQL %d: it came with %d".formatted(setting, serverMajor, since),
                "upgrade the server, or leave the setting out");
    }
}
