package tidemark.standin;

/**
 * A chunk that a step takes from an endpoint. Its order among the others of the step is the order in which it applies.
 */
record Fed(Endpoint endpoint, Endpoint.Chunk chunk) {
    void apply() {
        chunk.changes().forEach(endpoint.table()::apply);
    }

    long records() {
        return chunk.changes().size();
    }
}
