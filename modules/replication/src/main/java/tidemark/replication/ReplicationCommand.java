package tidemark.replication;

import tidemark.replication.SourceFailure.Kind;

/**
 * The commands of the streaming replication protocol, as text: nothing can be bound there, and the driver escapes
 * nothing.
 *
 * <p>Source: PostgreSQL documentation, "Streaming Replication Protocol". The parenthesised options came with 15.
 */
final class ReplicationCommand {
    private ReplicationCommand() {}

    /** PostgreSQL's own rule for slot names, so that no other text ever gets into a command. */
    static void requireSlotName(String slot) {
        if (slot.matches("[a-z0-9_]{1,63}")) return;
        throw new SourceFailure(
                Kind.MISCONFIGURED,
                "read postgres.slot: '%s' is not a slot name".formatted(slot),
                "use 1 to 63 characters out of a-z, 0-9 and _");
    }

    static String createSlotExporting(String slot, SlotOptions options, int serverMajor) {
        return create(slot, "", serverMajor < 15 ? "EXPORT_SNAPSHOT" : options("'export'", options));
    }

    /** A temporary slot does not outlive its session, so it cannot outlive a failover either. */
    static String createTemporarySlotExporting(String slot, int serverMajor) {
        String exporting = serverMajor < 15 ? "EXPORT_SNAPSHOT" : options("'export'", SlotOptions.ORDINARY);
        return create(slot, " TEMPORARY", exporting);
    }

    /** Holds back no vacuum: nothing is exported. */
    static String createSlotWithoutSnapshot(String slot, SlotOptions options, int serverMajor) {
        return create(slot, "", serverMajor < 15 ? "NOEXPORT_SNAPSHOT" : options("'nothing'", options));
    }

    private static String options(String snapshot, SlotOptions options) {
        return "(SNAPSHOT %s%s)".formatted(snapshot, options.failover() ? ", FAILOVER true" : "");
    }

    private static String create(String slot, String temporary, String options) {
        requireSlotName(slot);
        return "CREATE_REPLICATION_SLOT %s%s LOGICAL pgoutput %s"
                .formatted(SqlText.identifier(slot), temporary, options);
    }

    /** For a slot that was made without; 17 and later. */
    static String enableFailover(String slot) {
        requireSlotName(slot);
        return "ALTER_REPLICATION_SLOT %s (FAILOVER true)".formatted(SqlText.identifier(slot));
    }

    /**
     * 0/0 is below every position, so the server starts at the slot's. {@code publication_names} is a list of
     * identifiers inside a string literal: quoted as both.
     */
    static String start(String slot, String publication, SlotOptions options) {
        requireSlotName(slot);
        String origin = options.origin() == SlotOptions.Origin.NONE ? ", \"origin\" 'none'" : "";
        return "START_REPLICATION SLOT %s LOGICAL 0/0 (\"proto_version\" '1', \"publication_names\" %s%s)"
                .formatted(SqlText.identifier(slot), SqlText.literal(SqlText.identifier(publication)), origin);
    }
}
