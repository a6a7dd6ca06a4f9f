package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/** The text forms that the encoders rely on, asked of a real PostgreSQL under the settings that our sessions pin. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresTextTest {
    private final EmbeddedPostgres postgres;
    private final Connection connection;

    PostgresTextTest() throws IOException, SQLException {
        postgres = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .start();
        connection = postgres.getPostgresDatabase().getConnection();
    }

    @BeforeAll
    void pinTheSettings() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET bytea_output = 'hex';"
                    + " SET extra_float_digits = 1; SET lc_monetary = 'C'");
        }
    }

    @AfterAll
    void stop() throws IOException, SQLException {
        connection.close();
        postgres.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "true::bool                              | BOOLEAN        | true",
                "'-9223372036854775808'::int8            | BIGINT         | -9223372036854775808",
                "4294967295::oid                         | BIGINT         | 4294967295",
                "0.1::float4                             | DOUBLE         | 0.1",
                "'3.4028235e38'::float4                  | REAL           | 3.4028235e+38",
                "'1e-45'::float4                         | REAL           | 1e-45",
                "'1e308'::float8                         | DOUBLE         | 1e+308",
                "'-0'::float8                            | DOUBLE         | -0",
                "9007199254740993::float8                | DECIMAL(30,12) | \"9007199254740992.000000000000\"",
                "1e-7::float8                            | DECIMAL(30,12) | \"0.000000100000\"",
                "'NaN'::float8                           | DOUBLE         | (unrepresentable)",
                "'-infinity'::float4                     | REAL           | (unrepresentable)",
                "'NaN'::numeric                          | DECIMAL(38,10) | (unrepresentable)",
                "'Infinity'::numeric                     | DECIMAL(38,10) | (unrepresentable)",
                "1e20::numeric                           | DECIMAL(38,10) | \"100000000000000000000\"",
                "(-0.0)::numeric                         | DECIMAL(38,10) | \"0.0\"",
                "12e3::numeric                           | DECIMAL(10,0)  | \"12000\"",
                "0.00000000000000006938893903907228      | DECIMAL(38,32) | \"0.00000000000000006938893903907228\"",
                "'2024-02-29'::date                      | DATE           | \"2024-02-29\"",
                "'0044-03-15 BC'::date                   | DATE           | (unrepresentable)",
                "'10000-01-01'::date                     | DATE           | (unrepresentable)",
                "'-infinity'::date                       | DATE           | (unrepresentable)",
                "'23:59:59.999999'::time                 | TIME           | \"23:59:59.999999\"",
                "'24:00:00'::time                        | TIME           | (unrepresentable)",
                "'23:59:60'::time                        | TIME           | (unrepresentable)",
                "'2024-02-29 12:34:56.1'::timestamp      | TIMESTAMP      | \"2024-02-29 12:34:56.1\"",
                "'2024-02-29 23:59:60'::timestamp        | TIMESTAMP      | \"2024-03-01 00:00:00\"",
                "'infinity'::timestamp                   | TIMESTAMP      | (unrepresentable)",
                "'294276-12-31 23:59:59'::timestamp      | TIMESTAMP      | (unrepresentable)",
                "'2026-03-29 01:30:00+01'::timestamptz   | TIMESTAMP_TZ   | \"2026-03-29 00:30:00+00:00\"",
                "'1890-01-01 00:00:00+00'::timestamptz   | TIMESTAMP      | \"1890-01-01 00:00:00+00:00\"",
                "'0044-03-15 10:00:00+00 BC'::timestamptz| TIMESTAMP_TZ   | (unrepresentable)",
                "'550E8400-E29B-41D4-A716-446655440000'::uuid | UUID      | \"550e8400-e29b-41d4-a716-446655440000\"",
                "decode('00ff5c', 'hex')                 | VARBINARY      | [0,255,92]",
                "''::bytea                               | VARBINARY      | []",
                "'{\"b\":1, \"a\":[1e2,null]}'::jsonb    | VARIANT        | {\"a\": [100, null], \"b\": 1}",
                "'null'::jsonb                           | VARIANT        | (unrepresentable)",
                "'1e400'::jsonb                          | VARIANT        | (unrepresentable)",
                "'[\"\\ud800\"]'::json                   | VARIANT        | (unrepresentable)",
                "ARRAY[1,NULL,2]                         | VARCHAR        | \"{1,NULL,2}\"",
                "'1 day'::interval                       | VARCHAR        | \"1 day\"",
                "'ab'::char(5)                           | CHAR(5)        | \"ab   \"",
            })
    void postgresPrintsWhatTheEncodersExpect(String expression, String target, String expected) throws Exception {
        int oid;
        try (var statement = connection.createStatement();
                var types = statement.executeQuery("SELECT pg_typeof(" + expression + ")::oid")) {
            types.next();
            oid = types.getInt(1);
        }
        var mapped = (ColumnEncoding.Mapped)
                ColumnEncoding.of(TableFixture.builtIn(oid, -1), TableFixture.columnType(target), false);
        byte[] text = printed(expression).getBytes(StandardCharsets.UTF_8);
        var out = new RowBytes(0);
        String json = switch (mapped.encoder().write(text, 0, text.length, out)) {
            case WRITTEN -> new String(out.array(), 1, out.length() - 2, StandardCharsets.UTF_8);
            case PARTLY -> "(partly)";
            case UNREPRESENTABLE -> "(unrepresentable)";
            case OUTDATED -> "(outdated)";
            case REFUSED -> "(refused)";
        };
        assertThat(json).isEqualTo(expected);
    }

    @Test
    void aNegativeScaleIsReadAsPostgresPacksIt() throws SQLException {
        assumeTrue(
                connection.getMetaData().getDatabaseMajorVersion() >= 15, "numeric(3,-3) exists from PostgreSQL 15 on");
        try (var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE negative (n numeric(3,-3))");
            try (var columns = statement.executeQuery("SELECT atttypid::int, atttypmod FROM pg_attribute"
                    + " WHERE attrelid = 'negative'::regclass AND attnum > 0")) {
                columns.next();
                SourceType column = SourceType.of(TableFixture.builtIn(columns.getInt(1), columns.getInt(2)));
                assertThat(column.numericPrecision()).isEqualTo(3);
                assertThat(column.numericScale()).isEqualTo(-3);
            }
        }
    }

    @Test
    void typeModifiersAreReadAsPostgresPacksThem() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE modified (a numeric(12,6), c numeric, d varchar(20), e char(5), f text)");
            try (var columns = statement.executeQuery("SELECT atttypid::int, atttypmod FROM pg_attribute"
                    + " WHERE attrelid = 'modified'::regclass AND attnum > 0 ORDER BY attnum")) {
                var texts = new StringBuilder();
                while (columns.next()) {
                    SourceType column = SourceType.of(TableFixture.builtIn(columns.getInt(1), columns.getInt(2)));
                    texts.append(column.type()).append(' ');
                    if (!column.isConstrained()) texts.append("free");
                    else if (column.type() != PgType.NUMERIC) texts.append(column.characters());
                    else texts.append(column.numericPrecision()).append(',').append(column.numericScale());
                    texts.append("; ");
                }
                assertThat(texts).hasToString("NUMERIC 12,6; NUMERIC free; VARCHAR 20; BPCHAR 5; OTHER free; ");
            }
        }
    }

    /** docs/types.md names them all. */
    @Test
    void everyTypeThatAColumnCanHaveIsKnownByName() throws SQLException {
        Set<String> known = new HashSet<>(BuiltInTypes.NAMES.values());
        known.addAll(BuiltInTypes.AS_TEXT);
        Set<String> unknown = new HashSet<>();
        try (var statement = connection.createStatement();
                var types = statement.executeQuery("SELECT format_type(oid, NULL) FROM pg_type"
                        + " WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype = 'b'"
                        + " AND typoutput <> 'array_out'::regproc")) {
            while (types.next()) unknown.add(types.getString(1));
        }
        unknown.removeAll(known);
        assertThat(unknown).isEmpty();
    }

    /** The output function's text, as pgoutput sends it: COPY's, less its escapes. */
    private String printed(String expression) throws SQLException, IOException {
        var copied = new ByteArrayOutputStream();
        new CopyManager(connection.unwrap(BaseConnection.class))
                .copyOut("COPY (SELECT " + expression + ") TO STDOUT", copied);
        String line = copied.toString(StandardCharsets.UTF_8);
        return line.substring(0, line.length() - 1).replace("\\\\", "\\");
    }
}
