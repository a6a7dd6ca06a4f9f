/**
 * The delivery contract: rows to bytes, bytes to batches, batches to confirmed positions. Knows neither CDI nor
 * configuration sources.
 */
module tidemark.delivery {
    requires transitive tidemark.decode;
    requires transitive tidemark.replication;
    requires transitive tidemark.sink;
    requires jakarta.json;

    exports tidemark.delivery;
}
