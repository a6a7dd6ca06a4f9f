package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tidemark.replication.TestPostgres;
import tidemark.sink.SinkFailure;

/** Between a real PostgreSQL and the stand-in: both sort every key type alike, and equal values count as equal. */
class TableComparisonTest {
    private final TestPostgres postgres = TestPostgres.shared();

    /** @param values that sort differently by value, by text, by collation or by bytes, in some order */
    private record KeyType(String postgres, String feldera, String values) {
        String insertInto(String table, String which) {
            return "INSERT INTO %s SELECT v, 'x' FROM unnest(ARRAY[%s]::%s[]) WITH ORDINALITY u(v, n) WHERE %s"
                    .formatted(table, values, postgres, which);
        }

        String key(int n) {
            return "(SELECT v FROM unnest(ARRAY[%s]::%s[]) WITH ORDINALITY u(v, n) WHERE n = %d)"
                    .formatted(values, postgres, n);
        }
    }

    private static final List<KeyType> KEYS = List.of(
            new KeyType("smallint", "SMALLINT", "-32768, -1, 0, 9, 10, 100, 32767"),
            new KeyType("int", "INTEGER", "-2147483648, -10, -9, 9, 10, 2147483647"),
            new KeyType("bigint", "BIGINT", "-9223372036854775808, -10, -9, 9, 10, 9223372036854775807"),
            new KeyType("int", "VARCHAR", "-10, -9, 9, 10, 100, 2"),
            new KeyType("bigint", "DECIMAL(38,10)", "-9223372036854775808, -10, -9, 9, 10, 9223372036854775807"),
            new KeyType(
                    "numeric",
                    "DECIMAL(38,10)",
                    "-1.5, -1.4, -0.0000000001, 0.00, 0.5, 9, 10.0, 1234567890123456789012345678.1234567890"),
            new KeyType("numeric(20,2)", "VARCHAR", "-1.5, -1, 0, 9, 10"),
            new KeyType("real", "REAL", "-3.4e38, -1.5, 0, 1e-45, 0.1, 9, 10"),
            new KeyType("text", "VARCHAR", "'', 'A', 'B', 'a', 'a b', 'ab', 'é', 'z', U&'\\FFEE', U&'\\+01F600'"),
            new KeyType("varchar(9)", "VARCHAR(9)", "'a', 'B', '-a', '_a', E'a\\t'"),
            new KeyType("char(4)", "CHAR(4)", "'a', E'a\\t', 'a!', 'B', 'ab', ''"),
            new KeyType("bytea", "VARBINARY", "'\\x', '\\x00', '\\x0000', '\\x7f', '\\x80', '\\xff', '\\xff00'"),
            new KeyType(
                    "uuid",
                    "UUID",
                    "'a0000000-0000-0000-0000-000000000000', '0fffffff-0000-0000-0000-000000000000', '10000000-0000-0000-0000-00000000000f'"),
            new KeyType(
                    "uuid",
                    "VARCHAR",
                    "'a0000000-0000-0000-0000-000000000000', '0fffffff-0000-0000-0000-000000000000', '10000000-0000-0000-0000-00000000000f'"),
            new KeyType("date", "DATE", "'0001-01-01', '1969-12-31', '2024-02-29', '9999-12-31'"),
            new KeyType("time", "TIME", "'00:00:00', '00:00:00.1', '00:00:00.000001', '12:00:00', '23:59:59.999999'"),
            new KeyType(
                    "timestamp",
                    "TIMESTAMP",
                    "'0001-01-01 00:00:00', '1969-12-31 23:59:59.999999', '2024-02-29 12:00:00', '2024-02-29 12:00:00.5', '9999-12-31 23:59:59.999999'"),
            new KeyType(
                    "timestamptz",
                    "TIMESTAMP WITH TIME ZONE",
                    "'1969-12-31 23:59:59.999999+02', '2024-02-29 12:00:00-11', '2024-02-29 12:00:00.5+00'"),
            new KeyType(
                    "timestamptz",
                    "TIMESTAMP",
                    "'1969-12-31 23:59:59.999999+02', '2024-02-29 12:00:00-11', '2024-02-29 12:00:00.5+00'"),
            new KeyType("inet", "VARCHAR", "'10.0.0.1', '10.0.0.10/8', '9.0.0.0/8', '::1'"),
            new KeyType("size", "VARCHAR", "'small', 'medium', 'large'"));

    @TestFactory
    List<DynamicTest> oneMissingOneExtraAndOneDifferentRowAreFoundAndMendedWhateverTheKey() {
        String[] tables = IntStream.range(0, KEYS.size()).mapToObj(i -> "t" + i).toArray(String[]::new);
        var program = new StringBuilder();
        List<String> sql = new ArrayList<>(List.of("CREATE TYPE size AS ENUM ('small', 'medium', 'large')"));
        for (int i = 0; i < tables.length; i++) {
            KeyType key = KEYS.get(i);
            program.append(
                    "CREATE TABLE %s (id %s NOT NULL PRIMARY KEY, v VARCHAR);\n".formatted(tables[i], key.feldera()));
            sql.add("CREATE TABLE %s (id %s PRIMARY KEY, v text)".formatted(tables[i], key.postgres()));
            sql.add(key.insertInto(tables[i], "n <> 3"));
        }
        try (var ends = new TwoEnds(postgres, program.toString(), sql.toArray(String[]::new))) {
            ends.deliver(tables);
            List<List<String>> same = ends.differencesOf(tables);
            for (int i = 0; i < tables.length; i++) {
                ends.sql(
                        "DELETE FROM %s WHERE id = %s"
                                .formatted(tables[i], KEYS.get(i).key(1)),
                        "UPDATE %s SET v = 'changed' WHERE id = %s"
                                .formatted(tables[i], KEYS.get(i).key(2)),
                        KEYS.get(i).insertInto(tables[i], "n = 3"));
            }
            List<List<String>> changed = ends.differencesOf(tables);
            ends.merge(tables);
            List<List<String>> merged = ends.differencesOf(tables);
            return IntStream.range(0, tables.length)
                    .mapToObj(i -> DynamicTest.dynamicTest(
                            KEYS.get(i).postgres() + " as " + KEYS.get(i).feldera(),
                            () -> assertFound(same.get(i), changed.get(i), merged.get(i))))
                    .toList();
        }
    }

    private static void assertFound(List<String> same, List<String> changed, List<String> merged) {
        assertThat(same).isEmpty();
        assertThat(merged).isEmpty();
        assertThat(changed)
                .hasSize(3)
                .anyMatch(line -> line.startsWith("EXTRA id="))
                .anyMatch(line -> line.startsWith("DIFFERENT id=") && line.endsWith(" [v]"))
                .anyMatch(line -> line.startsWith("MISSING id="));
    }

    @Test
    void aCompositeKeyIsComparedInFelderasOrderOfIt() {
        try (var ends = new TwoEnds(
                postgres,
                "CREATE TABLE t (v VARCHAR, b VARCHAR NOT NULL, a INT NOT NULL, PRIMARY KEY (b, a));",
                "CREATE TABLE t (a int, b text, v text, PRIMARY KEY (a, b))",
                "INSERT INTO t SELECT n, chr(65 + n % 7), n FROM generate_series(-20, 20) n")) {
            ends.deliver("t");
            ends.sql(
                    "DELETE FROM t WHERE a = 3",
                    "UPDATE t SET v = NULL WHERE a = -4",
                    "INSERT INTO t VALUES (7, 'E', 'x')");
            assertThat(ends.differences("t"))
                    .containsExactly("DIFFERENT b=\"=\", a=-4 [v]", "EXTRA b=\"D\", a=3", "MISSING b=\"E\", a=7");
            ends.merge("t");
            assertThat(ends.differences("t")).isEmpty();
        }
    }

    /** The value policy is applied before: what it makes of a value is what Feldera has to have. */
    @Test
    void whatTheValuePolicyMakesOfAValueIsEqual() {
        try (var ends = new TwoEnds(
                postgres,
                """
                CREATE TABLE t (id INT NOT NULL PRIMARY KEY, flag BOOLEAN, price DECIMAL(12,2), small REAL, big DOUBLE,
                  code CHAR(5), doc VARIANT, raw VARBINARY, born DATE, at TIME, seen TIMESTAMP, sent TIMESTAMP WITH TIME ZONE,
                  only_here VARCHAR DEFAULT 'x');""",
                """
                CREATE TABLE t (id int PRIMARY KEY, flag boolean, price numeric, small real, big double precision, code char(5),
                  doc jsonb, raw bytea, born date, at time, seen timestamp, sent timestamptz, only_there text)""",
                """
                INSERT INTO t VALUES (1, true, 1.005, 0.1, 123456789012345680000, 'ab', '{"b": 1.50, "a": [null, "x"]}', '\\xff00',
                  '2024-02-29', '12:00:00.10', '2024-02-29 12:00:00.500', '2024-02-29 12:00:00+02', 'y')""",
                """
                INSERT INTO t VALUES (2, NULL, 'NaN', 'Infinity', '-Infinity', NULL, 'null', NULL, 'infinity', '24:00:00',
                  '-infinity', '10000-01-01 00:00:00+00', NULL)""",
                "INSERT INTO t VALUES (3, false, 12345678901.5, '-0', 0.30000000000000004, '', '1e2', '', '0044-03-15 BC')")) {
            ends.deliver("t");
            assertThat(ends.differences("t")).isEmpty();
            ends.sql(
                    "UPDATE t SET price = 1.01, doc = '{\"b\": 1.51, \"a\": [null, \"x\"]}' WHERE id = 1",
                    "UPDATE t SET born = '2024-01-01' WHERE id = 2",
                    "UPDATE t SET big = 0.31 WHERE id = 3");
            assertThat(ends.differences("t"))
                    .containsExactly("DIFFERENT id=1 [price, doc]", "DIFFERENT id=2 [born]", "DIFFERENT id=3 [big]");
        }
    }

    @Test
    void valuesThatAreMadeOfOthersAreEqualPartByPart() {
        try (var ends = new TwoEnds(
                postgres,
                """
                CREATE TABLE t (id INT NOT NULL PRIMARY KEY, a DOUBLE ARRAY, m DECIMAL(10,2) ARRAY ARRAY, d VARIANT ARRAY,
                  p ROW(n INT, t VARCHAR), h MAP<VARCHAR, VARCHAR>, v VARIANT);""",
                "CREATE EXTENSION hstore",
                "CREATE TYPE part AS (t text, n int)",
                "CREATE TABLE t (id int PRIMARY KEY, a float8[], m numeric[], d jsonb[], p part, h hstore, v part[])",
                """
                INSERT INTO t VALUES (1, '{0.5,NULL,123456789012345680000,NaN}', '{{1.5},{2}}', ARRAY['{"b":1.0,"a":[]}'::jsonb],
                  ROW('x', 1), 'b=>1, a=>NULL', ARRAY[ROW('y', NULL)::part])""",
                "INSERT INTO t VALUES (2, '{}', '{{1}}', '{}', NULL, '', '{}')",
                "INSERT INTO t VALUES (3)")) {
            ends.deliver("t");
            assertThat(ends.differences("t")).isEmpty();
            ends.sql(
                    "UPDATE t SET a[1] = 0.6, h = 'b=>1', v = ARRAY[ROW('y', 0)::part] WHERE id = 1",
                    "UPDATE t SET m = '{{1},{2}}', d = ARRAY['{}'::jsonb], p = ROW(NULL, NULL) WHERE id = 2");
            assertThat(ends.differences("t")).containsExactly("DIFFERENT id=1 [a, h, v]", "DIFFERENT id=2 [m, d, p]");
        }
    }

    @Test
    void aTableWithoutKeyIsComparedAsAMultiset() {
        try (var ends = new TwoEnds(
                postgres,
                "CREATE TABLE t (n INT, v VARCHAR) WITH ('materialized' = 'true');",
                "CREATE TABLE t (n int, v text)",
                "ALTER TABLE t REPLICA IDENTITY FULL",
                "INSERT INTO t VALUES (1, 'a'), (1, 'a'), (1, NULL), (NULL, 'a'), (2, 'b'), (NULL, NULL)")) {
            ends.deliver("t");
            assertThat(ends.differences("t")).isEmpty();
            ends.sql("DELETE FROM t WHERE ctid = '(0,1)'", "INSERT INTO t VALUES (NULL, 'a')");
            assertThat(ends.differences("t"))
                    .containsExactly("EXTRA row with md5=ad7b7741", "MISSING row with md5=0cc175b9");
            // and a negative weight fails the query, as it does in Feldera: no finding
            ends.post("t", "{\"delete\":{\"n\":77,\"v\":null}}");
            assertThatThrownBy(() -> ends.differences("t"))
                    .isInstanceOf(SinkFailure.class)
                    .hasMessageContaining("negative weight");
        }
    }

    /** By what each end prints: PostgreSQL's {@code t} is text in a VARCHAR. */
    @Test
    void booleansAreKeysToo() {
        try (var ends = new TwoEnds(
                postgres,
                "CREATE TABLE t (a BOOLEAN NOT NULL, b VARCHAR NOT NULL, PRIMARY KEY (a, b));",
                "CREATE TABLE t (a boolean, b boolean, PRIMARY KEY (a, b))",
                "INSERT INTO t VALUES (true, true), (false, true), (false, false)")) {
            ends.deliver("t");
            ends.sql("DELETE FROM t WHERE NOT a AND b", "INSERT INTO t VALUES (true, false)");
            assertThat(ends.differences("t")).containsExactly("EXTRA a=false, b=\"t\"", "MISSING a=true, b=\"f\"");
        }
    }

    @Test
    void anEmptyTableIsComparedAndAnEmptyAnswerIsNotBelieved() {
        try (var ends = new TwoEnds(
                postgres, "CREATE TABLE t (id INT NOT NULL PRIMARY KEY);", "CREATE TABLE t (id int PRIMARY KEY)")) {
            assertThat(ends.differences("t")).isEmpty();
            ends.sql("INSERT INTO t VALUES (1)");
            assertThat(ends.differences("t")).containsExactly("MISSING id=1");
            ends.deliver("t");
            ends.pipeline.breakQueries(0);
            assertThatThrownBy(() -> ends.differences("t")).isInstanceOf(SinkFailure.class);
        }
    }

    @Test
    void twoRowsUnderOneKeyOfFelderasStopByName() {
        try (var ends = new TwoEnds(
                postgres,
                "CREATE TABLE t (a INT NOT NULL PRIMARY KEY, b INT);",
                "CREATE TABLE t (a int, b int, PRIMARY KEY (a, b))",
                "INSERT INTO t VALUES (1, 1), (1, 2)")) {
            assertThatThrownBy(() -> ends.differences("t"))
                    .isInstanceOf(RowRefused.class)
                    .hasMessageContaining("PostgreSQL has two rows under one key");
        }
    }

    @Test
    void aKeyThatIsNotSortedAlikeIsRefusedByName() {
        try (var ends = new TwoEnds(
                postgres,
                "CREATE TABLE t (id INTEGER ARRAY NOT NULL PRIMARY KEY);",
                "CREATE TABLE t (id int[] PRIMARY KEY)")) {
            assertThatThrownBy(() -> ends.differences("t"))
                    .isInstanceOf(RowRefused.class)
                    .hasMessageContaining(
                            "public.t -> t column id: it is in the key, and Feldera and PostgreSQL do not sort");
        }
    }
}
