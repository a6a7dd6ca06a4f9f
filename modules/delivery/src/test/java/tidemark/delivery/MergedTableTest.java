package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tidemark.decode.CopyTextRow;
import tidemark.decode.Lsn;
import tidemark.decode.Tuple;
import tidemark.replication.SharedCopy;
import tidemark.replication.Snapshot;
import tidemark.replication.SortColumn;
import tidemark.replication.TableCopy;
import tidemark.replication.TableShape;
import tidemark.sink.QueryRows;

class MergedTableTest {
    private static final int INT4 = 23;

    private final List<String> done = new ArrayList<>();

    /** PostgreSQL may sort for longer than Feldera waits for somebody to read its answer. */
    @Test
    void felderaIsAskedOncePostgresHasSorted() {
        TablePlan plan =
                new TableFixture("t").both("id", INT4, "INTEGER!").key("id").plan();
        var body = new RowBytes(0);
        try (var merged = new MergedTable(
                plan,
                new Sorted("1", "2"),
                TableFixture.policy(DeliverySettings.Unrepresentable.NULL, 1 << 20),
                new ForwardingDestination(new SimPipeline(new SimWorld(1, false), List.of())) {
                    @Override
                    public QueryRows query(String sql, QueryRows.Limits limits) {
                        done.add("Feldera is asked");
                        return answer(
                                "{\"id\":2,\"row count\":null}",
                                "{\"id\":3,\"row count\":null}",
                                "{\"id\":null,\"row count\":2}");
                    }
                },
                new QueryRows.Limits(1 << 20, Duration.ofSeconds(1)),
                BodyBounds.of(TableFixture.settings("t"), 1))) {
            assertThat(merged.fill(body)).isFalse();
            assertThat(merged.found()).hasToString("rows=2 missing=1 different=0 extra=1");
        }
        assertThat(body.operations()).isEqualTo(2);
        assertThat(done).startsWith("PostgreSQL has sorted", "Feldera is asked");
    }

    private static QueryRows answer(String... objects) {
        Iterator<String> left = List.of(objects).iterator();
        return new QueryRows() {
            @Override
            public Optional<byte[]> next() {
                return left.hasNext() ? Optional.of(left.next().getBytes(StandardCharsets.UTF_8)) : Optional.empty();
            }

            @Override
            public void close() {}
        };
    }

    /** Gives its first row when it has sorted all of them. */
    private final class Sorted implements Snapshot {
        private final List<String> lines;

        Sorted(String... lines) {
            this.lines = List.of(lines);
        }

        @Override
        public Lsn consistentPoint() {
            return Lsn.ZERO;
        }

        @Override
        public TableCopy copy(TableShape table, List<SortColumn> order) {
            Iterator<String> left = lines.iterator();
            var row = new CopyTextRow(table.columns().size());
            return new TableCopy() {
                @Override
                public Optional<Tuple> next() {
                    done.add("PostgreSQL has sorted");
                    return left.hasNext()
                            ? Optional.of(row.read((left.next() + "\n").getBytes(StandardCharsets.UTF_8)))
                            : Optional.empty();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public SharedCopy share(List<TableShape> tables, int readers, long partBytes) {
            throw new UnsupportedOperationException("a merge shares nothing");
        }

        @Override
        public void close() {}
    }
}
