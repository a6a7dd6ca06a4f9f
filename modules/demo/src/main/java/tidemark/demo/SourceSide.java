package tidemark.demo;

import java.util.Map;
import java.util.TreeMap;

/** PostgreSQL's side of a demo: where it is, what the service is told about it, and who writes to it. */
abstract sealed class SourceSide implements Teardown.Running permits OwnSource, GivenSource {
    private final SourceDatabase database;
    private final String slot;
    private final String publication;
    private final String tables;

    SourceSide(SourceDatabase database, String slot, String publication, String tables) {
        this.database = database;
        this.slot = slot;
        this.publication = publication;
        this.tables = tables;
    }

    /** Before the service starts. */
    abstract void prepare();

    abstract void startWriting();

    /** One transaction that does not fit into a batch. */
    abstract void writeBigTransaction();

    /** Returns what was written, in words. */
    abstract String stopWriting();

    /** Fails when writing has failed. */
    abstract void requireHealthy();

    final SourceDatabase database() {
        return database;
    }

    final String slot() {
        return slot;
    }

    final String publication() {
        return publication;
    }

    /** Environment variables for the service. */
    final Map<String, String> configuration() {
        Map<String, String> variables = new TreeMap<>(Map.of(
                "POSTGRES_URL", database.jdbcUrl(),
                "POSTGRES_USER", database.user(),
                "POSTGRES_SLOT", slot,
                "POSTGRES_PUBLICATION", publication,
                "TABLES", tables));
        if (!database.password().isEmpty()) variables.put("POSTGRES_PASSWORD", database.password());
        return variables;
    }
}
