package tidemark.replication;

/** Who the source is: {@code IDENTIFY_SYSTEM}'s system identifier and timeline, the database, and the slot's name. */
public record SourceIdentity(String systemIdentifier, int timeline, String database, String slot, int serverMajor) {}
