package tidemark.demo;

import java.nio.file.Path;

/** An embedded PostgreSQL with the demo's own tables, rows in them before the service starts, and a workload. */
final class OwnSource extends SourceSide {
    private final EmbeddedDatabase postgres;
    private final WorkloadThread workload;

    private OwnSource(EmbeddedDatabase postgres, Workload workload, int changesPerSecond) {
        super(postgres.database(), "tidemark", "tidemark", DemoTables.ROUTES);
        this.postgres = postgres;
        this.workload = new WorkloadThread(database(), workload, changesPerSecond);
    }

    static OwnSource start(Path directory, Workload workload, int changesPerSecond) {
        return new OwnSource(EmbeddedDatabase.start(directory), workload, changesPerSecond);
    }

    @Override
    void prepare() {
        database().execute(DemoTables.POSTGRES);
        database().execute("CREATE PUBLICATION %s FOR ALL TABLES".formatted(publication()));
        workload.writeInitialRows();
        database().execute("ANALYZE"); // so that the copy knows how far it is
    }

    @Override
    void startWriting() {
        workload.start();
    }

    @Override
    void writeBigTransaction() {
        workload.requestBigTransaction();
    }

    @Override
    String stopWriting() {
        workload.stop();
        return "written: %,d changes in %,d transactions".formatted(workload.changes(), workload.transactions());
    }

    @Override
    void requireHealthy() {
        workload.requireHealthy();
    }

    @Override
    public void close() {
        workload.close();
        postgres.close();
    }
}
