package tidemark.delivery;

import java.util.Optional;
import tidemark.replication.Snapshot;
import tidemark.sink.QueryRows;

/**
 * One table at both ends while the session streams: Feldera's rows of the moment at which it was asked, and
 * PostgreSQL's under a snapshot. {@link #ask} and {@link #compare} block, and are errands, one after the other;
 * {@link #close} ends them, by any thread.
 */
final class ComparedBeside implements AutoCloseable {
    private final Surroundings around;
    private final TablePlan plan;
    private final Snapshot snapshot;
    private final FillingThread reader = new FillingThread();
    private Optional<FelderaRows> feldera = Optional.empty();

    ComparedBeside(Surroundings around, TablePlan plan, Snapshot snapshot) {
        this.around = around;
        this.plan = plan;
        this.snapshot = snapshot;
    }

    /**
     * Returns when Feldera has answered the first row: what is sent from now on is not in its answer.
     *
     * @param life whose rows they must be
     * @throws RowRefused if its key cannot be sorted alike at both ends
     */
    void ask(String life) {
        reader.begins();
        try {
            ComparedTable table = ComparedTable.of(plan);
            QueryRows.Limits limits = policy().ofAnswers(around.settings().completionTimeout());
            var answer = new BegunRows(around.destination().query(table.query().sql(), limits));
            feldera = Optional.of(new FelderaRows(table, answer));
            // Asked later, so if it is that one still, it was that one which answered.
            if (!around.destination().stats().incarnation().equals(life)) throw restarted();
        } finally {
            reader.ends(this::letGo);
        }
    }

    TableFindings compare() {
        reader.begins();
        ComparedTable table = ComparedTable.of(plan);
        try (var postgres = new PostgresRows(table, snapshot, policy())) {
            return TableFindings.of(table, new TableComparison(table, postgres, feldera.orElseThrow()), () -> {});
        } finally {
            reader.ends(this::letGo);
        }
    }

    /** Values that go as null were counted when they were sent. */
    private RowPolicy policy() {
        return RowPolicy.of(around.settings(), new NulledValues());
    }

    private static SessionOver restarted() {
        return new SessionOver(Failure.peer("the pipeline was restarted meanwhile", "Ask again once it streams."));
    }

    private void letGo() {
        feldera.ifPresent(FelderaRows::close);
    }

    @Override
    public void close() {
        reader.close(this::letGo);
    }
}
