package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tidemark.delivery.ColumnEncoding.Loss;
import tidemark.delivery.ValueEncoder.Fit;
import tidemark.replication.TypeShape;

/** Text as PostgreSQL prints it, and the JSON that a real Feldera was seen to take for it (values.md). */
class ColumnEncodingTest {
    private static final String UNREPRESENTABLE = "(unrepresentable)";
    private static final String REFUSED = "(refused)";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "BOOLEAN  | BOOLEAN      | t                      | true",
                "BOOLEAN  | BOOLEAN      | f                      | false",
                "BOOLEAN  | VARCHAR      | t                      | \"t\"",
                "INT2     | SMALLINT     | -32768                 | -32768",
                "INT2     | TINYINT      | -128                   | -128",
                "INT2     | TINYINT      | 128                    | (refused)",
                "INT4     | INTEGER      | 2147483647             | 2147483647",
                "INT8     | BIGINT       | -9223372036854775808   | -9223372036854775808",
                "INT8     | INTEGER      | 2147483647             | 2147483647",
                "INT8     | INTEGER      | 3000000000             | (refused)",
                "INT8     | INTEGER      | -9223372036854775808   | (refused)",
                "INT4     | BIGINT       | 7                      | 7",
                "INT4     | UINTEGER     | -1                     | (refused)",
                "INT4     | UTINYINT     | 255                    | 255",
                "INT8     | UBIGINT      | 9223372036854775807    | 9223372036854775807",
                "OID      | BIGINT       | 4294967295             | 4294967295",
                "INT4     | DECIMAL(9,2) | 1234567                | \"1234567\"",
                "INT4     | DECIMAL(9,2) | 12345678               | (unrepresentable)",
                "INT4     | DOUBLE       | 7                      | 7",
                "FLOAT8   | DOUBLE       | 1e-07                  | 1e-07",
                "FLOAT8   | DOUBLE       | 1e+20                  | 1e+20",
                "FLOAT8   | DOUBLE       | -0                     | -0",
                "FLOAT8   | DOUBLE       | 0.30000000000000004    | 0.30000000000000004",
                "FLOAT8   | DOUBLE       | 1.7976931348623157e+308| 1.7976931348623157e+308",
                "FLOAT8   | DOUBLE       | NaN                    | (unrepresentable)",
                "FLOAT8   | DOUBLE       | Infinity               | (unrepresentable)",
                "FLOAT8   | DOUBLE       | -Infinity              | (unrepresentable)",
                "FLOAT4   | REAL         | 3.4028235e+38          | 3.4028235e+38",
                "FLOAT8   | REAL         | 3.4028235e+38          | 3.4028235e+38",
                "FLOAT8   | REAL         | 1e+39                  | (unrepresentable)",
                "FLOAT8   | REAL         | -3.5e+38               | (unrepresentable)",
                "FLOAT4   | DOUBLE       | 0.1                    | 0.1",
                "FLOAT8   | DECIMAL(30,12)| -216237.00000035969   | \"-216237.00000035969\"",
                "FLOAT8   | DECIMAL(30,12)| 1e-07                 | \"0.000000100000\"",
                "FLOAT8   | DECIMAL(30,12)| -1.5e-07              | \"-0.000000150000\"",
                "FLOAT8   | DECIMAL(30,12)| 1.25e+17              | \"125000000000000000.000000000000\"",
                "FLOAT8   | DECIMAL(30,12)| 1e+18                 | (unrepresentable)",
                "FLOAT8   | DECIMAL(5,0)  | 1e-07                 | \"0\"",
                "FLOAT8   | DECIMAL(30,12)| 1e-300                | \"0.000000000000\"",
                "NUMERIC  | DECIMAL(12,2)| 19.99                  | \"19.99\"",
                "NUMERIC  | DECIMAL(12,2)| 1.005                  | \"1.00\"",
                "NUMERIC  | DECIMAL(12,2)| 1.5                    | \"1.5\"",
                "NUMERIC  | DECIMAL(12,2)| -0.5                   | \"-0.5\"",
                "NUMERIC  | DECIMAL(12,0)| -12000.75              | \"-12000\"",
                "NUMERIC  | DECIMAL(12,2)| 9999999999.999         | \"9999999999.99\"",
                "NUMERIC  | DECIMAL(12,2)| 10000000000            | (unrepresentable)",
                "NUMERIC  | DECIMAL(12,2)| NaN                    | (unrepresentable)",
                "NUMERIC  | DECIMAL(12,2)| -Infinity              | (unrepresentable)",
                "NUMERIC  | DECIMAL(38,32)| 0.00000000000000006938893903907228 | \"0.00000000000000006938893903907228\"",
                "NUMERIC  | DECIMAL(38,0)| 99999999999999999999999999999999999999 | \"99999999999999999999999999999999999999\"",
                "NUMERIC  | DOUBLE       | 123456789012345678901234567890.1 | 123456789012345678901234567890.1",
                "NUMERIC  | DOUBLE       | 1e308 | 1e308",
                "NUMERIC  | DOUBLE       | 1e309 | (unrepresentable)",
                "NUMERIC  | DOUBLE       | NaN                    | (unrepresentable)",
                "NUMERIC  | VARCHAR      | 100000000000000000000  | \"100000000000000000000\"",
                "DATE     | DATE         | 2024-02-29             | \"2024-02-29\"",
                "DATE     | DATE         | 0001-01-01             | \"0001-01-01\"",
                "DATE     | DATE         | 9999-12-31             | \"9999-12-31\"",
                "DATE     | DATE         | 10000-01-01            | (unrepresentable)",
                "DATE     | DATE         | 5874897-12-31          | (unrepresentable)",
                "DATE     | DATE         | 0044-03-15 BC          | (unrepresentable)",
                "DATE     | DATE         | infinity               | (unrepresentable)",
                "DATE     | DATE         | -infinity              | (unrepresentable)",
                "DATE     | DATE         | 29.02.2024             | (refused)",
                "DATE     | VARCHAR      | infinity               | \"infinity\"",
                "TIME     | TIME         | 23:59:59.999999        | \"23:59:59.999999\"",
                "TIME     | TIME         | 00:00:00               | \"00:00:00\"",
                "TIME     | TIME         | 24:00:00               | (unrepresentable)",
                "TIME     | TIME         | 23:59:60               | (unrepresentable)",
                "TIMESTAMP| TIMESTAMP    | 2024-02-29 12:34:56    | \"2024-02-29 12:34:56\"",
                "TIMESTAMP| TIMESTAMP    | 2024-02-29 12:34:56.1  | \"2024-02-29 12:34:56.1\"",
                "TIMESTAMP| TIMESTAMP    | infinity               | (unrepresentable)",
                "TIMESTAMP| TIMESTAMP    | 0044-03-15 10:00:00 BC | (unrepresentable)",
                "TIMESTAMP| TIMESTAMP    | 294276-12-31 23:59:59  | (unrepresentable)",
                "TIMESTAMP| TIMESTAMP    | 29.02.2024 12:34:56    | (refused)",
                "TIMESTAMPTZ | TIMESTAMP_TZ | 2024-02-29 12:34:56+00        | \"2024-02-29 12:34:56+00:00\"",
                "TIMESTAMPTZ | TIMESTAMP_TZ | 2024-02-29 12:34:56.123456+00 | \"2024-02-29 12:34:56.123456+00:00\"",
                "TIMESTAMPTZ | TIMESTAMP_TZ | 2024-02-29 12:34:56-08:30     | \"2024-02-29 12:34:56-08:30\"",
                "TIMESTAMPTZ | TIMESTAMP_TZ | 1890-01-01 00:19:32+00:19:32  | (refused)",
                "TIMESTAMPTZ | TIMESTAMP_TZ | -infinity                     | (unrepresentable)",
                "TIMESTAMPTZ | TIMESTAMP_TZ | 0044-03-15 10:00:00+00 BC     | (unrepresentable)",
                "TIMESTAMPTZ | TIMESTAMP    | 2026-03-29 00:30:00+00        | \"2026-03-29 00:30:00+00:00\"",
                "TIMESTAMPTZ | TIMESTAMP    | 10000-01-01 00:00:00+00       | (unrepresentable)",
                "UUID     | UUID         | 550e8400-e29b-41d4-a716-446655440000 | \"550e8400-e29b-41d4-a716-446655440000\"",
                "UUID     | VARCHAR      | 550e8400-e29b-41d4-a716-446655440000 | \"550e8400-e29b-41d4-a716-446655440000\"",
                "BYTEA    | VARBINARY    | \\x00ff5c              | [0,255,92]",
                "BYTEA    | VARBINARY    | \\x                    | []",
                "BYTEA    | BINARY(4)    | \\x01020304            | [1,2,3,4]",
                "BYTEA    | VARBINARY    | abc\\000               | (refused)",
                "BYTEA    | VARCHAR      | \\x00ff                | \"\\\\x00ff\"",
                "JSONB    | VARIANT      | {\"a\": [1, null, \"x\"]} | {\"a\": [1, null, \"x\"]}",
                "JSONB    | VARIANT      | [1.50, -2e3, true]     | [1.50, -2e3, true]",
                "JSONB    | VARIANT      | null                   | (unrepresentable)",
                "JSONB    | VARIANT!     | null                   | null",
                "JSONB    | VARIANT      | \"null\"               | \"null\"",
                "JSON     | VARIANT      | {\"a\":1,\"a\":2}      | {\"a\":1,\"a\":2}",
                "JSON     | VARIANT      | 1e400                  | (unrepresentable)",
                "JSON     | VARIANT      | [0e400, 0.0001e41]     | [0e400, 0.0001e41]",
                "JSON     | VARIANT      | [-0.001e42]            | (unrepresentable)",
                "JSON     | VARIANT      | {\"n\": 12345678901234567890123456789012345678} | {\"n\": 12345678901234567890123456789012345678}",
                "JSON     | VARIANT      | {\"1e400\": \"1e400\"} | {\"1e400\": \"1e400\"}",
                "JSON     | VARIANT      | \"\\ud83d\\ude00\"     | \"\\ud83d\\ude00\"",
                "JSON     | VARIANT      | \"\\\\ud800\"          | \"\\\\ud800\"",
                "JSON     | VARIANT      | \"\\ud800\"            | (unrepresentable)",
                "JSON     | VARIANT      | \"\\ud800\\n\"         | (unrepresentable)",
                "JSON     | VARIANT      | {\"\\udc00\": 1}       | (unrepresentable)",
                "JSON     | VARIANT      | \"\\ud800\\ud800\"     | (unrepresentable)",
                "JSONB    | VARCHAR      | {\"a\": \"b\"}         | \"{\\\"a\\\": \\\"b\\\"}\"",
                "OTHER    | VARCHAR      | {1,NULL,\"a b\"}       | \"{1,NULL,\\\"a b\\\"}\"",
                "OTHER    | CHAR(5)      | abcdefgh               | \"abcdefgh\"",
                "BPCHAR   | CHAR(5)      | `ab   `                | \"ab   \"",
            })
    void everyValueArrivesAsItIsOrIsFound(PgType type, String target, String text, String expected) {
        assertThat(encoded(type, target, text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "INT4, BOOLEAN",
        "BOOLEAN, INTEGER",
        "NUMERIC, INTEGER",
        "OTHER, INTEGER",
        "OTHER, UUID",
        "TIMESTAMP, TIMESTAMP_TZ",
        "DATE, TIMESTAMP",
        "TIMESTAMP, DATE",
        "TIMESTAMPTZ, TIME",
        "OTHER, DECIMAL",
        "JSON, BINARY",
        "OTHER, ARRAY",
        "JSON, MAP",
        "FLOAT8, BIGINT",
        "OTHER, NEWTYPE",
    })
    void whatHasNoMappingIsRefusedByType(PgType type, String target) {
        var refused = (ColumnEncoding.Refused) encoding(type, -1, target, false);
        assertThat(refused.reason()).contains("pgtype").contains(target.split("\\(", -1)[0]);
        assertThat(refused.remedy()).isNotEmpty();
    }

    /** Where one might think that it should go. */
    @ParameterizedTest
    @CsvSource({
        "TIMETZ, TIME, its offset would be lost",
        "TIMESTAMP, TIMESTAMP_TZ, it does not say in which zone it is",
        "TIMESTAMPTZ, DATE, half of it would be lost",
        "DATE, TIMESTAMP, it has no time of day",
        "NUMERIC, BIGINT, digits after the point would be lost",
        "JSONB, ARRAY, every document has a shape of its own",
    })
    void aRefusalSaysWhy(PgType type, String target, String why) {
        assertThat(((ColumnEncoding.Refused) encoding(type, -1, target, false)).reason())
                .endsWith(": " + why);
    }

    @ParameterizedTest
    @CsvSource({
        "BIGINT, 9223372036854775807, 9223372036854775807",
        "BIGINT, 9223372036854775808, (refused)",
        "BIGINT, -9223372036854775808, -9223372036854775808",
        "BIGINT, -9223372036854775809, (refused)",
        "BIGINT, 10000000000000000000000, (refused)",
        "BIGINT, NaN, (unrepresentable)",
        "UBIGINT, 18446744073709551615, 18446744073709551615",
        "UBIGINT, 18446744073709551616, (refused)",
        "UBIGINT, 0, 0",
        "UBIGINT, -1, (refused)",
        "SMALLINT, -32768, -32768",
        "SMALLINT, 32768, (refused)",
        "SMALLINT, 7, 7",
    })
    void aNumericWithoutDigitsAfterThePointIsAnIntegerWhereItFits(String target, String text, String expected) {
        var mapped = (ColumnEncoding.Mapped) encoding(PgType.NUMERIC, numeric(38, 0), target, false);
        assertThat(write(mapped.encoder(), text.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(expected);
    }

    private static int numeric(int precision, int scale) {
        return (precision << 16 | (scale & 0x7FF)) + 4;
    }

    @ParameterizedTest
    @EnumSource(PgType.class)
    void everyTypeGoesAsTextIntoVarchar(PgType type) {
        assertThat(encoding(type, -1, "VARCHAR", false)).isInstanceOf(ColumnEncoding.Mapped.class);
    }

    @Test
    void narrowTypesAreKnownBeforeTheFirstValue() {
        int numeric12v6 = numeric(12, 6);
        int numeric3minus3 = numeric(3, -3);
        assertThat(loss(PgType.NUMERIC, numeric12v6, "DECIMAL(12,6)")).isInstanceOf(Loss.None.class);
        assertThat(loss(PgType.NUMERIC, numeric12v6, "DECIMAL(12,2)"))
                .isEqualTo(new Loss.Digits("digits beyond the first 2 after the point are cut"));
        assertThat(loss(PgType.NUMERIC, numeric12v6, "DECIMAL(8,6)"))
                .isEqualTo(new Loss.Range("a value of more than 2 digits before the point is unrepresentable"));
        assertThat(loss(PgType.NUMERIC, numeric3minus3, "DECIMAL(6,0)")).isInstanceOf(Loss.None.class);
        assertThat(loss(PgType.NUMERIC, -1, "DECIMAL(38,10)")).isInstanceOf(Loss.Digits.class);
        assertThat(loss(PgType.INT8, -1, "DECIMAL(38,10)")).isInstanceOf(Loss.None.class);
        assertThat(loss(PgType.INT8, -1, "INTEGER")).isInstanceOf(Loss.Range.class);
        assertThat(loss(PgType.NUMERIC, numeric(18, 0), "BIGINT")).isInstanceOf(Loss.None.class);
        assertThat(loss(PgType.NUMERIC, numeric(19, 0), "BIGINT"))
                .isEqualTo(new Loss.Range(
                        "a value outside -9223372036854775808..9223372036854775807 stops the connector"));
        assertThat(loss(PgType.NUMERIC, numeric3minus3, "INTEGER")).isInstanceOf(Loss.None.class);
        assertThat(loss(PgType.NUMERIC, numeric3minus3, "SMALLINT")).isInstanceOf(Loss.Range.class);
        assertThat(loss(PgType.NUMERIC, numeric(2, 0), "UINTEGER"))
                .isEqualTo(new Loss.Range("a value outside 0..4294967295 stops the connector"));
        assertThat(loss(PgType.FLOAT4, -1, "DOUBLE")).isEqualTo(new Loss.Range(ColumnEncoding.SHORTEST));
        assertThat(loss(PgType.BYTEA, -1, "VARBINARY")).isInstanceOf(Loss.None.class);
        assertThat(loss(PgType.BYTEA, -1, "BINARY(4)"))
                .isEqualTo(
                        new Loss.Range("a value of more than its 4 bytes arrives whole, as Feldera checks no length"));
        assertThat(loss(PgType.FLOAT8, -1, "REAL")).isInstanceOf(Loss.Digits.class);
        assertThat(loss(PgType.FLOAT4, -1, "REAL")).isInstanceOf(Loss.None.class);
        assertThat(loss(PgType.VARCHAR, 24, "VARCHAR(20)")).isInstanceOf(Loss.None.class);
        assertThat(loss(PgType.VARCHAR, 24, "VARCHAR(19)")).isInstanceOf(Loss.Range.class);
        assertThat(loss(PgType.OTHER, -1, "VARCHAR(19)")).isInstanceOf(Loss.Range.class);
        assertThat(loss(PgType.OTHER, -1, "VARCHAR")).isInstanceOf(Loss.None.class);
    }

    /** Two rows must not become one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1.50     | \"1.50\"",
                "1.5000   | \"1.50\"",
                "1.505    | (refused)",
                "7        | \"7\"",
                "1.5e-07  | (refused)",
                "1e-03    | (refused)",
                "1.2e-01  | \"0.12\"",
                "1.23e-01 | (refused)",
            })
    void aDecimalKeyIsNeverCut(String text, String expected) {
        var mapped = (ColumnEncoding.Mapped) encoding(PgType.FLOAT8, -1, "DECIMAL(12,2)", true);
        assertThat(mapped.loss()).isInstanceOf(Loss.Range.class);
        assertThat(write(mapped.encoder(), text.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(expected);
    }

    @Test
    void jsonIsReadAsDeepAsFelderaDoes() {
        assertThat(encoded(PgType.JSON, "VARIANT", "[".repeat(120) + "]".repeat(120)))
                .startsWith("[[");
        assertThat(encoded(PgType.JSON, "VARIANT", "[".repeat(121) + "]".repeat(121)))
                .isEqualTo(UNREPRESENTABLE);
    }

    @Test
    void jsonWithLineBreaksAndOtherScriptsIsVerbatim() {
        String document = "{\n\t\"ключ\": \"é☃😀\"\r\n}";
        assertThat(encoded(PgType.JSON, "VARIANT", document)).isEqualTo(document);
    }

    @Test
    void textThatIsNotUtf8IsFoundBeforeFelderaRefusesTheWholeArray() {
        byte[] latin1 = {'a', (byte) 0xE9, 'b'};
        byte[] json = {'"', (byte) 0xE9, '"'};
        assertThat(write(((ColumnEncoding.Mapped) encoding(PgType.OTHER, -1, "VARCHAR", false)).encoder(), latin1))
                .isEqualTo(REFUSED);
        ValueEncoder document = ((ColumnEncoding.Mapped) encoding(PgType.JSON, -1, "VARIANT", false)).encoder();
        assertThat(write(document, json)).isEqualTo(UNREPRESENTABLE);
        assertThat(document.limit()).contains("text that is not UTF-8");
    }

    private static String encoded(PgType type, String target, String text) {
        var mapped = (ColumnEncoding.Mapped) encoding(type, -1, target, false);
        return write(mapped.encoder(), text.getBytes(StandardCharsets.UTF_8));
    }

    private static Loss loss(PgType type, int typeModifier, String target) {
        return ((ColumnEncoding.Mapped) encoding(type, typeModifier, target, false)).loss();
    }

    private static ColumnEncoding encoding(PgType type, int typeModifier, String target, boolean key) {
        String extension = type == PgType.HSTORE ? "hstore" : "";
        var shape =
                new TypeShape.Scalar(type.oid(), type == PgType.HSTORE ? "hstore" : "pgtype", typeModifier, extension);
        return ColumnEncoding.of(shape, TableFixture.columnType(target), key);
    }

    private static String write(ValueEncoder encoder, byte[] text) {
        var tuple = HandMadeTuple.ofBytes(text);
        var out = new RowBytes(0);
        Fit fit = encoder.write(tuple.buffer(), tuple.start(0), tuple.length(0), out);
        return switch (fit) {
            case WRITTEN -> new String(out.array(), 1, out.length() - 2, StandardCharsets.UTF_8);
            case PARTLY -> "(partly) " + new String(out.array(), 1, out.length() - 2, StandardCharsets.UTF_8);
            case UNREPRESENTABLE -> UNREPRESENTABLE;
            case OUTDATED, REFUSED -> REFUSED;
        };
    }
}
