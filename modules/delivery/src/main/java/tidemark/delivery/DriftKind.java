package tidemark.delivery;

/** What happened to a table that the stream does not tell of. */
public enum DriftKind {
    /** It is gone, or another one has its name. */
    TABLE,
    /** It left the publication, or what is published of it was altered. */
    PUBLICATION,
    /** Partitions came or went, with their rows. */
    PARTITIONS,
    /** All rows of a partition were written anew, or are gone. */
    REWRITE,
    /** A column has values that rows got without being written. */
    COLUMNS
}
