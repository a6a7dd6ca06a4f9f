package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidemark.delivery.ColumnEncoding.Loss;
import tidemark.delivery.ColumnEncoding.Mapped;
import tidemark.delivery.ColumnEncoding.Refused;
import tidemark.replication.TypeShape;

/** Arrays, composites and hstore as PostgreSQL prints them, and the JSON that Feldera takes for them (values.md). */
class NestedEncodingTest {
    private static final TypeShape PAIR =
            new TypeShape.Composite("public.pair", List.of(field("a", "INT4"), field("B c", "OTHER")), true);

    private static final Map<String, TypeShape> TYPES = Map.of(
            "pair", PAIR,
            "one", new TypeShape.Composite("public.one", List.of(field("a", "INT4")), true),
            "none", new TypeShape.Composite("public.none", List.of(), true),
            "flag", new TypeShape.Composite("public.flag", List.of(field("on", "BOOLEAN"), field("at", "DATE")), true),
            "outer",
                    new TypeShape.Composite(
                            "public.outer",
                            List.of(
                                    new TypeShape.Field("p", PAIR),
                                    new TypeShape.Field("many", array(PAIR, ',')),
                                    new TypeShape.Field("n", scalar("NUMERIC"))),
                            true),
            "ints", new TypeShape.Domain("public.ints", array(scalar("INT4"), ','), true),
            "hstore", new TypeShape.Scalar(30000, "hstore", -1, "hstore"),
            "box", new TypeShape.Scalar(603, "box", -1, ""),
            "mood", new TypeShape.Enumeration("public.mood"),
            "span", new TypeShape.Range("int4range"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "INT4[]    | INTEGER ARRAY  | {1,NULL,-3}               | [1,null,-3]",
                "INT4[]    | INTEGER ARRAY  | {}                        | []",
                "INT4[]    | INTEGER ARRAY  | [0:1]={1,2}               | [1,2]",
                "INT4[]    | INTEGER ARRAY  | {{1,2},{3,4}}             | (unrepresentable)",
                "INT4[]    | INTEGER ARRAY ARRAY | {{1,2},{3,NULL}}     | [[1,2],[3,null]]",
                "INT4[]    | INTEGER ARRAY ARRAY | [-1:0][2:2]={{1},{2}}| [[1],[2]]",
                "INT4[]    | INTEGER ARRAY ARRAY | {1,2}                | (unrepresentable)",
                "INT4[]    | INTEGER ARRAY ARRAY | {}                   | []",
                "INT4[]    | INTEGER ARRAY ARRAY ARRAY | {{{1}},{{2}}}  | [[[1]],[[2]]]",
                "INT4[]    | INTEGER! ARRAY | {1,NULL}                  | (unrepresentable)",
                "INT4[]    | SMALLINT ARRAY | {1,40000}                 | (refused)",
                "INT4[]    | INTEGER ARRAY  | {1,2                      | (refused)",
                "INT4[]    | INTEGER ARRAY  | 1,2                       | (refused)",
                "OTHER[]   | VARCHAR ARRAY  | {a,NULL,\"NULL\",\"\",\" b \"}   | [\"a\",null,\"NULL\",\"\",\" b \"]",
                "OTHER[]   | VARCHAR ARRAY  | {\"a,b\",\"{c}\",\"d\\\"e\",\"f\\\\g\"} | [\"a,b\",\"{c}\",\"d\\\"e\",\"f\\\\g\"]",
                "OTHER[]   | VARCHAR ARRAY  | {é☃😀,\"ü\\\\\"}           | [\"é☃😀\",\"ü\\\\\"]",
                "OTHER[]   | VARCHAR ARRAY  | {\"open                   | (refused)",
                "OTHER[]   | VARCHAR        | {a,NULL}                  | \"{a,NULL}\"",
                "BOOLEAN[] | BOOLEAN ARRAY  | {t,f,NULL}                | [true,false,null]",
                "NUMERIC[] | DECIMAL(10,2) ARRAY | {1.00,NULL}          | [\"1.00\",null]",
                "NUMERIC[] | DECIMAL(10,2) ARRAY | {1,NaN,2}            | (partly) [\"1\",null,\"2\"]",
                "NUMERIC[] | DECIMAL(10,2)! ARRAY | {1,NaN,2}           | (unrepresentable)",
                "BYTEA[]   | VARBINARY ARRAY| {\"\\\\x00ff\",\"\\\\x\"} | [[0,255],[]]",
                "TIMESTAMPTZ[] | TIMESTAMP_TZ ARRAY | {\"2024-02-29 12:34:56+00\",infinity} | (partly) [\"2024-02-29 12:34:56+00:00\",null]",
                "JSONB[]   | VARIANT ARRAY  | {\"{\\\"a\\\": [1, \\\"x\\\"]}\",\"null\",NULL} | (partly) [{\"a\": [1, \"x\"]},null,null]",
                "box[]     | VARCHAR ARRAY  | {(1,1),(0,0);(2,2),(1,1)} | [\"(1,1),(0,0)\",\"(2,2),(1,1)\"]",
                "mood[]    | VARCHAR ARRAY  | {sad,NULL}                | [\"sad\",null]",
                "span[]    | VARCHAR ARRAY  | {\"[1,3)\",empty}         | [\"[1,3)\",\"empty\"]",
                "ints      | INTEGER ARRAY  | {1,2}                     | [1,2]",
                "ints[]    | INTEGER ARRAY ARRAY | {\"{1,2}\",\"{}\",NULL} | [[1,2],[],null]",
                "ints[]    | INTEGER ARRAY ARRAY | {{\"{1}\"}}          | (unrepresentable)",
                "pair[]    | ROW(a INTEGER, \"B\" VARCHAR) ARRAY | {\"(1,x)\",NULL} | [{\"a\":1,\"B\":null},null]",
                "pair      | ROW(a INTEGER, b VARCHAR) | (1,x)           | {\"a\":1,\"b\":null}",
                "one       | ROW(a INTEGER)  | (7)                      | {\"a\":7}",
                "one       | ROW(a INTEGER)  | ()                       | {\"a\":null}",
                "one       | ROW(a INTEGER!) | ()                       | (unrepresentable)",
                "one       | ROW(a INTEGER)  | (7,8)                    | (outdated)",
                "one       | ROW(a INTEGER)  | (7                       | (refused)",
                "one       | ROW(x VARCHAR, A INTEGER, y DATE) | (7)    | {\"a\":7,\"x\":null,\"y\":null}",
                "none      | VARIANT         | ()                       | {}",
                "none      | VARIANT         | (1)                      | (outdated)",
                "flag      | ROW(on BOOLEAN, at DATE) | (t,infinity)    | (partly) {\"on\":true,\"at\":null}",
                "flag      | ROW(on BOOLEAN, at DATE!) | (t,infinity)   | (unrepresentable)",
                "pair      | VARIANT         | (\"1,2\"\",\")             | (outdated)",
                "flag      | ROW(at DATE)    | (t,2024-02-29)           | {\"at\":\"2024-02-29\"}",
                "flag      | ROW(on BOOLEAN, at DATE) | (t)             | (outdated)",
                "pair[]    | VARIANT         | {\"(x)\"}              | (outdated)",
                "pair      | VARIANT         | (1,\"b \"\"c\"\" \\\\ ,)\") | {\"a\":1,\"B c\":\"b \\\"c\\\" \\\\ ,)\"}",
                "pair      | VARIANT         | (,\"\")                  | {\"a\":null,\"B c\":\"\"}",
                "outer     | VARIANT         | (\"(1,\"\"x y\"\")\",\"{\"\"(2,\\\\\"\"a b\\\\\"\")\"\",NULL}\",1.50) | {\"p\":{\"a\":1,\"B c\":\"x y\"},\"many\":[{\"a\":2,\"B c\":\"a b\"},null],\"n\":1.50}",
                "pair      | VARCHAR         | (1,x)                    | \"(1,x)\"",
                "hstore    | MAP<VARCHAR!, VARCHAR> | \"a\"=>\"1\", \"b c\"=>NULL, \"\"=>\"NULL\" | {\"a\":\"1\",\"b c\":null,\"\":\"NULL\"}",
                "hstore    | MAP<VARCHAR!, VARCHAR> | \"q\\\"\\\\\"=>\"v\\\"=>,\" | {\"q\\\"\\\\\":\"v\\\"=>,\"}",
                "hstore    | MAP<VARCHAR!, VARCHAR!> | \"a\"=>NULL      | (unrepresentable)",
                "hstore    | MAP<VARCHAR!, VARIANT> | \"a\"=>\"1\"      | {\"a\":\"1\"}",
                "hstore    | MAP<VARCHAR!, VARCHAR> | ``                | {}",
                "hstore    | MAP<VARCHAR!, VARCHAR> | \"a\"=>           | (refused)",
                "hstore    | MAP<VARCHAR!, VARCHAR> | a=>1              | (refused)",
                "hstore    | VARIANT         | \"a\"=>NULL              | {\"a\":null}",
                "hstore    | VARIANT         | \"$serde_json::private::Number\"=>\"1\" | (unrepresentable)",
                "hstore    | VARIANT         | \"a\"=>\"2\", \"$serde_json::private::Number\"=>\"1\" | {\"a\":\"2\",\"$serde_json::private::Number\":\"1\"}",
                "hstore    | MAP<VARCHAR!, VARCHAR> | \"$serde_json::private::Number\"=>\"1\" | {\"$serde_json::private::Number\":\"1\"}",
                "JSONB     | VARIANT         | [{ \"$serde_json::private::Number\": \"1\"}] | (unrepresentable)",
                "JSON      | VARIANT         | {\"\\u0024serde_json::private::Number\":\"x\"} | (unrepresentable)",
                "JSON      | VARIANT         | {\"a\":1,\"$serde_json::private::Number\":\"1\"} | {\"a\":1,\"$serde_json::private::Number\":\"1\"}",
                "JSON      | VARIANT         | [\"$serde_json::private::Number\"] | [\"$serde_json::private::Number\"]",
                "JSON      | VARIANT         | {\"$serde_json::private::number\":\"1\"} | {\"$serde_json::private::number\":\"1\"}",
                "hstore    | VARCHAR         | \"a\"=>\"1\"             | \"\\\"a\\\"=>\\\"1\\\"\"",
                "hstore[]  | MAP<VARCHAR!, VARCHAR> ARRAY | {\"\\\"a\\\"=>\\\"1\\\"\"} | [{\"a\":\"1\"}]",
                "BOOLEAN   | VARIANT         | t                        | true",
                "INT8      | VARIANT         | -9223372036854775808     | -9223372036854775808",
                "FLOAT8    | VARIANT         | 1e+20                    | 1e+20",
                "FLOAT8    | VARIANT         | NaN                      | (unrepresentable)",
                "NUMERIC   | VARIANT         | 12345678901234567890123456789012345678.5 | 12345678901234567890123456789012345678.5",
                "NUMERIC   | VARIANT         | 123456789012345678901234567890123456789 | (unrepresentable)",
                "DATE      | VARIANT         | infinity                 | \"infinity\"",
                "mood      | VARIANT         | so \"so\"                | \"so \\\"so\\\"\"",
                "BYTEA     | VARIANT         | \\x00                    | \"\\\\x00\"",
                "INT4[]    | VARIANT         | {{1,NULL},{3,4}}         | [[1,null],[3,4]]",
                "FLOAT8[]  | VARIANT         | [5:6]={1.5,NaN}          | (partly) [1.5,null]",
                "ints[]    | VARIANT         | {\"{1,2}\"}              | [[1,2]]",
                "MONEY     | DECIMAL(19,2)   | -$92,233,720,368,547,758.08 | \"-92233720368547758.08\"",
                "MONEY     | DECIMAL(19,2)   | $0.10                    | \"0.10\"",
                "MONEY     | DECIMAL(10,1)   | $1,234.56                | \"1234.5\"",
                "MONEY     | DECIMAL(4,2)    | $1,234.56                | (unrepresentable)",
                "MONEY     | DECIMAL(19,2)   | 1.234,56 €               | (refused)",
                "MONEY     | VARIANT         | $0.10                    | \"$0.10\"",
            })
    void everyPartArrivesAsItIsOrIsFound(String type, String target, String text, String expected) {
        assertThat(write(mapped(type, target, false).encoder(), text)).isEqualTo(expected);
    }

    /** The catalog was asked after the row was committed, and no field was ever dropped: it has the first ones. */
    @Test
    void aValueFromBeforeFieldsWereAddedHasNullForThem() {
        assertThat(fewer(true, true)).isEqualTo("{\"on\":true,\"at\":null}");
        assertThat(fewer(true, false)).isEqualTo("(outdated)");
        assertThat(fewer(false, true)).isEqualTo("(outdated)");
    }

    private static String fewer(boolean newer, boolean whole) {
        var flag = new TypeShape.Composite("flag", List.of(field("on", "BOOLEAN"), field("at", "DATE")), whole);
        var place = new ColumnEncoding.Place(false, newer, 0);
        var mapped = (Mapped) ColumnEncoding.of(flag, TableFixture.columnType("VARIANT"), place);
        return write(mapped.encoder(), "(t)");
    }

    /** A buffer that an earlier value filled must not show in a later one. */
    @Test
    void valuesOfOneEncoderDoNotMeet() {
        ValueEncoder encoder = mapped("OTHER[]", "VARCHAR ARRAY", false).encoder();
        String large = "x\\\\".repeat(100_000);
        assertThat(write(encoder, "{\"" + large + "\",b}")).endsWith(",\"b\"]").hasSize(300_000 + 8);
        assertThat(write(encoder, "{\"\\\"\",\"c d\"}")).isEqualTo("[\"\\\"\",\"c d\"]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "INT4      | INTEGER ARRAY       | integer does not go | VARCHAR",
                "INT4[]    | INTEGER             | integer[] does not go into Feldera's INTEGER | VARCHAR",
                "INT4[]    | BOOLEAN ARRAY       | integer does not go into Feldera's BOOLEAN | VARCHAR",
                "INT4[]    | MAP<VARCHAR!, INTEGER> | integer[] does not go | VARCHAR",
                "pair      | MAP<VARCHAR!, VARIANT>  | public.pair does not go | VARCHAR",
                "JSONB     | ROW(a INTEGER)      | jsonb does not go into Feldera's ROW(a INTEGER) | VARCHAR",
                "JSONB     | INTEGER ARRAY       | jsonb does not go | VARCHAR",
                "hstore    | MAP<INTEGER!, VARCHAR> | hstore does not go | VARCHAR",
                "hstore    | MAP<VARCHAR!, INTEGER> | values of PostgreSQL's hstore are text | VARCHAR",
                "pair      | ROW(a VARCHAR, z INTEGER!) | field z of the ROW | ROW",
                "pair      | ROW(a INTEGER, \"A\" INTEGER) | differs from another one only by case | ROW",
                "flag      | ROW(on INTEGER)     | field on: PostgreSQL's boolean | VARCHAR",
                "ints[]    | INTEGER ARRAY       | public.ints does not go into Feldera's INTEGER | VARCHAR",
                "TIMETZ    | TIME                | time with time zone does not go | VARCHAR",
                "MONEY     | DOUBLE              | money does not go | VARCHAR",
            })
    void whatHasNoMappingIsRefusedByType(String type, String target, String reason, String remedy) {
        var refused = (Refused) ColumnEncoding.of(type(type), TableFixture.columnType(target), false);
        assertThat(refused.reason()).contains(reason);
        assertThat(refused.remedy()).contains(remedy);
    }

    /** In whatever it is: a document is found by its values, a composite by its type. */
    @Test
    void aCompositeThatVariantWouldReadAsANumberIsRefused() {
        var number = new TypeShape.Composite(
                "public.number", List.of(field("$serde_json::private::Number", "OTHER"), field("b", "INT4")), true);
        var inside = new TypeShape.Composite("public.inside", List.of(new TypeShape.Field("n", number)), true);
        for (TypeShape type : List.of(number, array(number, ','), inside)) {
            var refused = (Refused) ColumnEncoding.of(type, TableFixture.columnType("VARIANT"), false);
            assertThat(refused.reason()).contains("first field of PostgreSQL's public.number", "read it as a number");
            assertThat(refused.remedy()).contains("VARCHAR", "rename");
        }
        assertThat(ColumnEncoding.of(number, TableFixture.columnType("ROW(b INTEGER)"), false))
                .isInstanceOf(Mapped.class);
        var second = new TypeShape.Composite(
                "public.second", List.of(field("b", "INT4"), field("$serde_json::private::Number", "OTHER")), true);
        assertThat(ColumnEncoding.of(second, TableFixture.columnType("VARIANT"), false))
                .isInstanceOf(Mapped.class);
    }

    @Test
    void narrowPartsAreKnownBeforeTheFirstValue() {
        assertThat(mapped("NUMERIC[]", "DECIMAL(10,2) ARRAY", false).loss())
                .isEqualTo(
                        new Loss.Digits("in an element, digits beyond the first 2 after the point are cut and a value"
                                + " of more than 8 digits before the point is unrepresentable"));
        assertThat(mapped("FLOAT8[]", "REAL ARRAY", false).loss()).isInstanceOf(Loss.Digits.class);
        assertThat(mapped("OTHER[]", "VARCHAR(3) ARRAY", false).loss()).isInstanceOf(Loss.Range.class);
        assertThat(mapped("INT4[]", "INTEGER! ARRAY", false).loss())
                .isEqualTo(new Loss.Range("an element that is NULL makes the whole value unrepresentable"));
        assertThat(mapped("INT4[]", "INTEGER ARRAY", false).loss()).isInstanceOf(Loss.None.class);
        assertThat(mapped("one", "ROW(a SMALLINT)", false).loss())
                .isEqualTo(new Loss.Range("in field a, a value outside -32768..32767 stops the connector"));
        assertThat(mapped("flag", "ROW(at DATE!)", false).loss())
                .isEqualTo(new Loss.Digits("its field on has no place in the ROW and is left out; field at that is NULL"
                        + " makes the whole value unrepresentable"));
        assertThat(mapped("NUMERIC", "VARIANT", false).loss()).isInstanceOf(Loss.Digits.class);
        assertThat(ofNumeric(38, 10)).isInstanceOf(Loss.None.class);
        assertThat(ofNumeric(39, 10)).isInstanceOf(Loss.Digits.class);
        assertThat(ofNumeric(10, -35)).isInstanceOf(Loss.Digits.class);
        assertThat(ofNumeric(3, 300)).isInstanceOf(Loss.Digits.class);
        assertThat(mapped("INT8", "VARIANT", false).loss()).isInstanceOf(Loss.None.class);
    }

    private static Loss ofNumeric(int precision, int scale) {
        var numeric = new TypeShape.Scalar(1700, "numeric", (precision << 16 | (scale & 0x7FF)) + 4, "");
        return ((Mapped) ColumnEncoding.of(numeric, TableFixture.columnType("VARIANT"), false)).loss();
    }

    /** {@code '[0:1]={1,2}'} and {@code '{1,2}'} are two keys. */
    @Test
    void anArrayInAKeyKeepsItsBoundsOrIsRefused() {
        ValueEncoder key = mapped("INT4[]", "INTEGER ARRAY", true).encoder();
        assertThat(write(key, "{1,2}")).isEqualTo("[1,2]");
        assertThat(write(key, "[0:1]={1,2}")).isEqualTo("(refused)");
        assertThat(write(mapped("NUMERIC[]", "DECIMAL(10,2) ARRAY", true).encoder(), "{1.005}"))
                .isEqualTo("(refused)");
    }

    @Test
    void aDocumentInsideOtherJsonMayBeLessDeep() {
        ValueEncoder encoder = mapped("JSONB[]", "VARIANT ARRAY", false).encoder();
        assertThat(write(encoder, "{" + "[".repeat(119) + "]".repeat(119) + "}"))
                .startsWith("[[[");
        assertThat(write(encoder, "{" + "[".repeat(120) + "]".repeat(120) + "}"))
                .isEqualTo("(partly) [null]");
    }

    /** What the test itself and the class loading around it may cost. */
    private static final long SLACK_BYTES = 300_000;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "INT4[]    | INTEGER ARRAY | {1,NULL,3}",
                "OTHER[]   | VARCHAR ARRAY | {a,\"b \\\" c\"}",
                "MONEY     | DECIMAL(19,2) | -$1,234.56",
                "outer     | VARIANT       | (\"(1,\"\"x y\"\")\",\"{\"\"(2,\\\\\"\"a b\\\\\"\")\"\",NULL}\",1.50)",
                "hstore    | MAP<VARCHAR!, VARCHAR> | \"a\"=>\"1\", \"b\"=>NULL",
            })
    void aValueWithPartsCostsNoObject(String type, String target, String value) {
        ValueEncoder encoder = mapped(type, target, false).encoder();
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        var out = new RowBytes(0);
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        encoder.write(text, 0, text.length, out);
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int round = 0; round < 20_000; round++) {
            out.clear();
            assert encoder.write(text, 0, text.length, out) == ValueEncoder.Fit.WRITTEN;
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(SLACK_BYTES);
    }

    @Test
    void whatIsGoneFromTheCatalogStillGoesAsText() {
        var gone = new TypeShape.Unknown(-2);
        var text = (Mapped) ColumnEncoding.of(gone, TableFixture.columnType("VARCHAR"), false);
        assertThat(write(text.encoder(), "x")).isEqualTo("\"x\"");
        var refused = (Refused) ColumnEncoding.of(gone, TableFixture.columnType("INTEGER"), false);
        assertThat(refused.reason()).contains("the type with oid 4294967294 is no longer in PostgreSQL's catalog");
        assertThat(ColumnEncoding.of(gone, TableFixture.columnType("VARIANT"), false))
                .isInstanceOf(Refused.class);
    }

    private static Mapped mapped(String type, String target, boolean key) {
        return (Mapped) ColumnEncoding.of(type(type), TableFixture.columnType(target), key);
    }

    private static TypeShape type(String name) {
        if (!name.endsWith("[]")) return TYPES.containsKey(name) ? TYPES.get(name) : scalar(name);
        TypeShape element = type(name.substring(0, name.length() - 2));
        return array(element, element.name().equals("box") ? ';' : ',');
    }

    private static TypeShape.Array array(TypeShape element, char delimiter) {
        return new TypeShape.Array(element.name() + "[]", element, delimiter);
    }

    private static TypeShape scalar(String type) {
        String name = switch (type) {
            case "INT4" -> "integer";
            case "TIMETZ" -> "time with time zone";
            default -> type.toLowerCase(Locale.ROOT);
        };
        return new TypeShape.Scalar(PgType.valueOf(type).oid(), name, -1, "");
    }

    private static TypeShape.Field field(String name, String type) {
        return new TypeShape.Field(name, scalar(type));
    }

    private static String write(ValueEncoder encoder, String value) {
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        var tuple = HandMadeTuple.ofBytes(text);
        var out = new RowBytes(0);
        var fit = encoder.write(tuple.buffer(), tuple.start(0), tuple.length(0), out);
        String json = new String(out.array(), 1, out.length() - 2, StandardCharsets.UTF_8);
        return switch (fit) {
            case WRITTEN -> json;
            case PARTLY -> "(partly) " + json;
            case UNREPRESENTABLE -> "(unrepresentable)";
            case OUTDATED -> "(outdated)";
            case REFUSED -> "(refused)";
        };
    }
}
