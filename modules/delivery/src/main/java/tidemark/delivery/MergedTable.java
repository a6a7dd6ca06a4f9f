package tidemark.delivery;

import java.util.Optional;
import java.util.function.Supplier;
import tidemark.replication.Snapshot;
import tidemark.sink.Destination;
import tidemark.sink.FelderaName;
import tidemark.sink.QueryRows;
import tidemark.sink.SinkFailure;

/**
 * The operations that make a Feldera table what PostgreSQL has under a snapshot, whatever it holds: by a merge of the
 * two, row by row, inserts of what is missing or different and deletes of what is extra (docs/adr/0016). Rows that are
 * the same are not sent, so nothing flickers through empty.
 *
 * <p>Asks both ends when it is first filled, Feldera once PostgreSQL has sorted: an answer that nobody reads for as
 * long would be given up. Everything that was sent for the table must be complete by then, or a row is named that is
 * yet to go, or missed that is yet to come. What was sent before a failure was right: the next merge finds the rest.
 * Memory: the body, and two rows of each end.
 */
final class MergedTable implements BodySource {
    private final ComparedTable table;
    private final ExtraRows extra;
    private final Snapshot snapshot;
    private final RowPolicy policy;
    private final Destination feldera;
    private final QueryRows.Limits limits;
    private final BodyBounds bounds;
    private volatile Optional<Ends> ends = Optional.empty();
    private volatile Found differences = Found.NOTHING;
    private final FillingThread filler = new FillingThread();

    /** @param rows of PostgreSQL that were compared */
    record Found(long rows, long missing, long different, long extra) {
        static final Found NOTHING = new Found(0, 0, 0, 0);

        Found and(TableComparison.Difference found) {
            return switch (found) {
                case MISSING -> new Found(rows, missing + 1, different, extra);
                case DIFFERENT -> new Found(rows, missing, different + 1, extra);
                case EXTRA -> new Found(rows, missing, different, extra + 1);
            };
        }

        @Override
        public String toString() {
            return "rows=%s missing=%s different=%s extra=%s".formatted(rows, missing, different, extra);
        }
    }

    private record Ends(PostgresRows postgres, FelderaRows feldera, TableComparison comparison)
            implements AutoCloseable {
        @Override
        public void close() {
            try (feldera) {
                postgres.close();
            }
        }
    }

    /** Asked for when its first row is wanted. */
    private static final class LateAnswer {
        private final Supplier<QueryRows> query;
        private Optional<QueryRows> answer = Optional.empty();

        LateAnswer(Supplier<QueryRows> query) {
            this.query = query;
        }

        Optional<byte[]> next() {
            if (answer.isEmpty()) answer = Optional.of(query.get());
            return answer.get().next();
        }

        void close() {
            answer.ifPresent(QueryRows::close);
        }
    }

    /** @throws RowRefused if the table cannot be sorted alike at both ends, or its rows not be named */
    static MergedTable of(Surroundings around, TablePlan plan, Snapshot snapshot) {
        DeliverySettings settings = around.settings();
        return new MergedTable(
                plan,
                snapshot,
                around.rows(),
                around.destination(),
                around.rows().ofAnswers(settings.giveUpAfter()),
                BodyBounds.of(settings, 1));
    }

    /** @throws RowRefused if the table cannot be sorted alike at both ends, or its rows not be named */
    MergedTable(
            TablePlan plan,
            Snapshot snapshot,
            RowPolicy policy,
            Destination feldera,
            QueryRows.Limits limits,
            BodyBounds bounds) {
        this.table = ComparedTable.of(plan);
        this.extra = new ExtraRows(table);
        this.snapshot = snapshot;
        this.policy = policy;
        this.feldera = feldera;
        this.limits = limits;
        this.bounds = bounds;
    }

    @Override
    public FelderaName table() {
        return table.plan().feldera().name();
    }

    @Override
    public boolean fill(RowBytes body) {
        filler.begins();
        try {
            Ends both = ends();
            while (!bounds.isFull(body)) {
                Optional<TableComparison.Difference> found = both.comparison.next();
                if (found.isEmpty()) return false;
                differences = differences.and(found.get());
                switch (found.get()) {
                    case MISSING, DIFFERENT -> both.postgres.putInsert(body);
                    case EXTRA -> extra.delete(both.feldera.row(), body);
                }
            }
            return true;
        } catch (SinkFailure failure) {
            throw FailurePolicy.ofAnswer(table.plan(), "merged", failure);
        } finally {
            filler.ends(this::letGo);
        }
    }

    private Ends ends() {
        if (ends.isEmpty()) {
            var rows = new PostgresRows(table, snapshot, policy); // ends with its session, if the query fails
            var late = new LateAnswer(() -> feldera.query(table.query().sql(), limits));
            var answer = new FelderaRows(table, late::next, late::close);
            ends = Optional.of(new Ends(rows, answer, new TableComparison(table, rows, answer)));
        }
        return ends.get();
    }

    /** So far. Any thread. */
    Found found() {
        Found so = differences;
        long rows = ends.map(both -> both.comparison.postgresRows()).orElse(0L);
        return new Found(rows, so.missing, so.different, so.extra);
    }

    private void letGo() {
        ends.ifPresent(Ends::close);
    }

    @Override
    public void close() {
        filler.close(this::letGo);
    }
}
