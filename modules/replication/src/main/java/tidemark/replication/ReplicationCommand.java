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

    static String createSlotExporting(String slot, int serverMajor) {
        return create(slot, "", serverMajor < 15 ? "EXPORT_SNAPSHOT" : "(SNAPSHOT 'export')");
    }

    static String createTemporarySlotExporting(String slot, int serverMajor) {
        return create(slot, " TEMPORARY", serverMajor < 15 ? "EXPORT_SNAPSHOT" : "(SNAPSHOT 'export')");
    }

    /** Holds back no vacuum: nothing is exported. */
    static String createSlotWithoutSnapshot(String slot, int serverMajor) {
        return create(slot, "", serverMajor < 15 ? "NOEXPORT_SNAPSHOT" : "(SNAPSHOT 'nothing')");
    }

    private static String create(String slot, String temporary, String options) {
        requireSlotName(slot);
        return "CREATE_REPLICATION_SLOT %s%s LOGICAL pgoutput %s"
                .formatted(SqlText.identifier(slot), temporary, options);
    }

    /**
     * 0/0 is below every position, so the server starts at the slot's. {@code publication_names} is a list of
     * identifiers inside a string literal: quoted as both.
     */
    static String start(String slot, String publication) {
        requireSlotName(slot);
        return "START_REPLICATION SLOT %s LOGICAL 0/0 (\"proto_version\" '1', \"publication_names\" %s)"
                .formatted(SqlText.identifier(slot), SqlText.literal(SqlText.identifier(publication)));
    }
}
