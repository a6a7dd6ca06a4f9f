package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tidemark.decode.PgOutputDecoder;
import tidemark.decode.PgOutputMessage;
import tidemark.replication.PostgresSource;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceSession;
import tidemark.replication.SourceSession.Received;
import tidemark.replication.TableCopy;
import tidemark.replication.TableShape;
import tidemark.replication.TestPostgres;
import tidemark.sink.FelderaTable;

/** What a real PostgreSQL prints of types with parts, from the catalog's shape of them to the JSON, by both ways. */
class NestedTypesTest {
    /** @param value in SQL */
    private record Column(String type, String value, String target, String json) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("int[]", "'[0:2]={1,NULL,3}'", "INTEGER ARRAY", "[1,null,3]"),
            new Column("int[]", "ARRAY[[1,2],[3,4]]", "INTEGER ARRAY ARRAY", "[[1,2],[3,4]]"),
            new Column("int[]", "ARRAY[[1,2],[3,4]]", "INTEGER ARRAY", "null"),
            new Column("int[]", "'{}'", "INTEGER ARRAY ARRAY", "[]"),
            new Column(
                    "text[]",
                    "ARRAY['', 'NULL', NULL, ' ', 'a,b', '{c}', 'd\"e', E'f\\\\g', E'h\\ni\\t', 'é☃😀', 'null']",
                    "VARCHAR ARRAY",
                    "[\"\",\"NULL\",null,\" \",\"a,b\",\"{c}\",\"d\\\"e\",\"f\\\\g\",\"h\\ni\\t\",\"é☃😀\",\"null\"]"),
            new Column("price[]", "'{1.00,NULL}'", "DECIMAL(10,2) ARRAY", "[\"1.00\",null]"),
            new Column("prices", "'{1.00}'", "DECIMAL(10,2) ARRAY", "[\"1.00\"]"),
            new Column("prices[]", "ARRAY['{1.00}'::prices]", "DECIMAL(10,2) ARRAY ARRAY", "[[\"1.00\"]]"),
            new Column("mood[]", "'{\"so so\",NULL}'", "VARCHAR ARRAY", "[\"so so\",null]"),
            new Column(
                    "box[]", "ARRAY['1,1,0,0'::box, '2,2,1,1']", "VARCHAR ARRAY", "[\"(1,1),(0,0)\",\"(2,2),(1,1)\"]"),
            new Column("bytea[]", "ARRAY[decode('00ff5c', 'hex'), '']", "VARBINARY ARRAY", "[[0,255,92],[]]"),
            new Column(
                    "timestamptz[]",
                    "ARRAY['2026-03-29 01:30:00+01'::timestamptz, 'infinity']",
                    "TIMESTAMP_TZ ARRAY",
                    "[\"2026-03-29 00:30:00+00:00\",null]"),
            new Column("jsonb[]", "ARRAY['{\"a\": \"\\\\\"}'::jsonb]", "VARIANT ARRAY", "[{\"a\": \"\\\\\"}]"),
            new Column(
                    "part",
                    "ROW(1, E'a \"b\" \\\\ ,()', ARRAY['x y', NULL])",
                    "ROW(n INTEGER, t VARCHAR, l VARCHAR ARRAY)",
                    "{\"n\":1,\"t\":\"a \\\"b\\\" \\\\ ,()\",\"l\":[\"x y\",null]}"),
            new Column("part", "ROW(NULL, '', NULL)", "ROW(t VARCHAR)", "{\"t\":\"\"}"),
            new Column(
                    "part[]",
                    "ARRAY[ROW(1, 'a\"', ARRAY['\"q\"'])::part, NULL]",
                    "VARIANT",
                    "[{\"n\":1,\"t\":\"a\\\"\",\"l\":[\"\\\"q\\\"\"]},null]"),
            new Column(
                    "whole",
                    "ROW(ROW(1, 'x', '{}'), ARRAY[ROW(2, NULL, NULL)::part], 'so so')",
                    "VARIANT",
                    "{\"p\":{\"n\":1,\"t\":\"x\",\"l\":[]},\"ps\":[{\"n\":2,\"t\":null,\"l\":null}],\"M\":\"so so\"}"),
            new Column(
                    "hstore",
                    "hstore(ARRAY['a', '', 'q\"', E'b\\\\'], ARRAY['1', NULL, '=>', 'NULL'])",
                    "MAP<VARCHAR!, VARCHAR>",
                    "{\"\":null,\"a\":\"1\",\"b\\\\\":\"NULL\",\"q\\\"\":\"=>\"}"),
            new Column("hstore", "''", "VARIANT", "{}"),
            new Column("citext", "'Ab'", "VARCHAR", "\"Ab\""),
            new Column("int4range[]", "'{\"[1,3)\",empty}'", "VARCHAR ARRAY", "[\"[1,3)\",\"empty\"]"),
            new Column("int4multirange", "'{[1,3),[5,7)}'", "VARCHAR", "\"{[1,3),[5,7)}\""),
            new Column("money", "'-92233720368547758.08'", "DECIMAL(19,2)", "\"-92233720368547758.08\""),
            new Column("money[]", "ARRAY[1234.5::money]", "DECIMAL(19,2) ARRAY", "[\"1234.50\"]"),
            new Column("interval", "'1 year 2 days 03:04:05.6'", "VARCHAR", "\"P1Y2DT3H4M5.6S\""),
            new Column("timetz", "'12:34:56.7+05:30:15'", "VARCHAR", "\"12:34:56.7+05:30:15\""),
            new Column("\"char\"[]", "'{a}'", "VARCHAR ARRAY", "[\"a\"]"),
            new Column("bit(3)", "B'101'", "VARIANT", "\"101\""),
            new Column("point", "'1,2'", "VARCHAR", "\"(1,2)\""),
            new Column("int2vector", "'1 2'", "VARCHAR", "\"1 2\""),
            new Column("pg_lsn", "'16/B374D848'", "VARCHAR", "\"16/B374D848\""),
            new Column("xid", "'4294967295'", "BIGINT", "4294967295"),
            new Column("numeric[]", "'{1e20,NaN,0.10}'", "VARIANT", "[100000000000000000000,null,0.10]"));

    private final TestPostgres postgres = TestPostgres.shared();
    private final String database = postgres.newDatabase();

    @Test
    void copyAndStreamMakeTheSameJsonOfEveryType() {
        createTable();
        postgres.execute(database, insert(1), "CREATE PUBLICATION p FOR TABLE t");
        try (PostgresSource source = new PostgresSource(
                        postgres.settings(database, "nested_" + database, "p"), InstantSource.system());
                SourceSession session = source.open()) {
            session.createSlotWithoutSnapshot();
            TableShape shape = session.publication().tables().getFirst();
            var plan = new TablePlan(shape, feldera());
            assertThat(copied(session, plan)).isEqualTo(expected(1));
            session.start();
            postgres.execute(database, insert(2));
            assertThat(streamed(session, plan)).isEqualTo(expected(2));
        } finally {
            postgres.dropSlots(database);
        }
    }

    private void createTable() {
        postgres.execute(
                database,
                "CREATE EXTENSION hstore",
                "CREATE EXTENSION citext",
                "CREATE DOMAIN price AS numeric(10,2)",
                "CREATE DOMAIN prices AS price[]",
                "CREATE TYPE mood AS ENUM ('so so')",
                "CREATE TYPE part AS (n int, gone int, t text, l text[])",
                "ALTER TYPE part DROP ATTRIBUTE gone",
                "CREATE TYPE whole AS (p part, ps part[], \"M\" mood)",
                "CREATE TABLE t (id int PRIMARY KEY%s)"
                        .formatted(each(index ->
                                ", c%d %s".formatted(index, COLUMNS.get(index).type()))));
    }

    private static String insert(int id) {
        return "INSERT INTO t VALUES (%d%s)"
                .formatted(id, each(index -> ", " + COLUMNS.get(index).value()));
    }

    private static String expected(int id) {
        return "[{\"insert\":{\"id\":%d%s}}]"
                .formatted(
                        id,
                        each(index -> ",\"c%d\":%s"
                                .formatted(index, COLUMNS.get(index).json())));
    }

    private static String each(IntFunction<String> text) {
        return IntStream.range(0, COLUMNS.size()).mapToObj(text).collect(Collectors.joining());
    }

    private static FelderaTable feldera() {
        var fixture = new TableFixture("t").target("id", "INTEGER!").key("id");
        for (int i = 0; i < COLUMNS.size(); i++)
            fixture.target("c" + i, COLUMNS.get(i).target());
        return fixture.feldera();
    }

    private static RowPolicy policy() {
        return TableFixture.policy(DeliverySettings.Unrepresentable.NULL, 1 << 20);
    }

    private static String copied(SourceSession session, TablePlan plan) {
        var out = new RowBytes(0);
        try (Snapshot snapshot = session.snapshotBesideSlot();
                TableCopy copy = snapshot.copy(plan.shape())) {
            plan.copyEncoder(policy()).insert(copy.next().orElseThrow(), out);
        }
        return text(out);
    }

    private static String streamed(SourceSession session, TablePlan plan) {
        var out = new RowBytes(0);
        var decoder = new PgOutputDecoder();
        List<RowEncoder> encoders = new ArrayList<>();
        TestPostgres.await("the row", () -> {
            message(session, decoder).ifPresent(message -> {
                switch (message) {
                    case PgOutputMessage.Relation relation ->
                        encoders.add(TableFixture.streamEncoder(
                                plan, relation, session::type, policy(), ReplicationState.Stand.COPIED));
                    case PgOutputMessage.Insert(int _, var row) ->
                        encoders.getLast().insert(row, out);
                    default -> {}
                }
            });
            return out.operations() > 0;
        });
        return text(out);
    }

    private static Optional<PgOutputMessage> message(SourceSession session, PgOutputDecoder decoder) {
        return session.poll() instanceof Received.WalMessage(var _, byte[] buffer, int offset, int length)
                ? Optional.of(decoder.decode(buffer, offset, length))
                : Optional.empty();
    }

    private static String text(RowBytes out) {
        return new String(out.array(), 0, out.length(), StandardCharsets.UTF_8);
    }
}
