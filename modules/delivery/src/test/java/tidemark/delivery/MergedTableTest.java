package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
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
    private static final int FLOAT8 = 701;
    /** A DOUBLE that Feldera can have, and of which no JSON is known that it reads as that one. */
    private static final String UNNAMEABLE = "-115.93565249608447";

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

    private MergedTable merge(TablePlan plan, List<String> postgres, String... feldera) {
        return new MergedTable(
                plan,
                new Sorted(postgres.toArray(String[]::new)),
                TableFixture.policy(DeliverySettings.Unrepresentable.FAIL, 1 << 20),
                new ForwardingDestination(new SimPipeline(new SimWorld(1, false), List.of())) {
                    @Override
                    public QueryRows query(String sql, QueryRows.Limits limits) {
                        return answer(feldera);
                    }
                },
                new QueryRows.Limits(1 << 20, Duration.ofSeconds(1)),
                new BodyBounds(2, 1 << 20));
    }

    private static TablePlan floats() {
        return new TableFixture("t")
                .both("id", INT4, "INTEGER")
                .both("w", FLOAT8, "DOUBLE")
                .plan();
    }

    @Test
    void noDifferenceIsHandedOutBeforeAllCanBeSent() {
        try (var merge = new RehearsedMerge(() -> merge(
                floats(),
                List.of("1\t1", "2\t1", "3\t1"),
                "{\"id\":4,\"w\":%s,\"row count\":null}".formatted(UNNAMEABLE),
                "{\"id\":null,\"w\":null,\"row count\":1}"))) {
            assertThatThrownBy(() -> merge.fill(new RowBytes(0)))
                    .isInstanceOf(RowRefused.class)
                    .hasMessageContaining("column w")
                    .hasMessageContaining("key_md5=")
                    .hasMessageNotContaining(UNNAMEABLE);
            assertThat(merge.found()).hasToString("rows=3 missing=0 different=0 extra=0");
        }
    }

    @Test
    void whatWasFoundToBeSendableIsHandedOutOnce() {
        TablePlan plan =
                new TableFixture("t").both("id", INT4, "INTEGER!").key("id").plan();
        for (int rows = 0; rows < 7; rows++) {
            List<String> lines =
                    IntStream.range(0, rows).mapToObj(Integer::toString).toList();
            try (var merge = new RehearsedMerge(() -> merge(plan, lines, "{\"id\":null,\"row count\":0}"))) {
                int handedOut = 0;
                boolean more = true;
                while (more) {
                    var body = new RowBytes(0);
                    more = merge.fill(body);
                    handedOut += body.operations();
                    assertThat(body.operations()).isLessThanOrEqualTo(2);
                }
                assertThat(handedOut).isEqualTo(rows);
                assertThat(merge.found()).hasToString("rows=%d missing=%d different=0 extra=0".formatted(rows, rows));
            }
        }
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
        public Snapshot taken(TableShape table) {
            return this;
        }

        @Override
        public void close() {}
    }
}
