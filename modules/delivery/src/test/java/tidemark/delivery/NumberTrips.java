package tidemark.delivery;

import java.util.List;
import java.util.stream.Stream;

/** Booleans and numbers of the round trip. */
final class NumberTrips {
    private static final String EXACTLY = "v::text";
    private static final String IF_FINITE = "CASE WHEN gen.finite(v::text) THEN v::text END";

    private static final String IN_DOCUMENTS = "CASE WHEN gen.counts(v::text) THEN v::text END";

    /** From here on the nearest float is an infinity: the largest one and half of its last place. */
    private static final String FLOAT_LIMIT = "3.4028235677973366e38";

    /** Beyond, Feldera may read infinity: it rounds twice. */
    private static final String DOUBLE_LIMIT = "1.797693134862315e308";

    private NumberTrips() {}

    /** @param major of PostgreSQL */
    static List<TypeTrip> of(int major) {
        var negativeScale = Stream.of(
                TypeTrip.of("thousands", "numeric(5,-3)", "gen.decimal(g, 'v', 7, 2)", "99999000", "-1500", "499", "0")
                        .into("DECIMAL(8,0)", EXACTLY)
                        .into("INTEGER", EXACTLY)
                        .intoText()
                        .intoVariant(EXACTLY));
        return Stream.concat(
                        Stream.of(
                                bool(),
                                int2(),
                                int4(),
                                int8(),
                                oid(),
                                xid(),
                                money(),
                                float4(),
                                float8(),
                                numeric(),
                                price(),
                                whole(),
                                fraction()),
                        major < 15 ? Stream.empty() : negativeScale)
                .toList();
    }

    private static TypeTrip bool() {
        return TypeTrip.of("bool", "bool", "gen.below(g, 'v', 2) = 1", "true", "false")
                .into("BOOLEAN", EXACTLY)
                .intoText()
                .intoVariant(EXACTLY);
    }

    private static TypeTrip int2() {
        return TypeTrip.of("int2", "int2", "gen.whole(g, 'v') >> 48", "-32768", "32767", "0", "-1")
                .into("SMALLINT", EXACTLY)
                .into("REAL", EXACTLY, Likeness.SINGLE)
                .intoText()
                .intoVariant(EXACTLY);
    }

    private static TypeTrip int4() {
        return TypeTrip.of("int4", "int4", "gen.whole(g, 'v') >> 32", "-2147483648", "2147483647", "0", "-1")
                .into("INTEGER", EXACTLY)
                .into("DOUBLE", EXACTLY, Likeness.DOUBLE)
                .intoText()
                .intoVariant(EXACTLY);
    }

    private static TypeTrip int8() {
        return TypeTrip.of(
                        "int8",
                        "int8",
                        "gen.whole(g, 'v')",
                        "-9223372036854775808",
                        "9223372036854775807",
                        "0",
                        "-1",
                        "9007199254740993")
                .into("BIGINT", EXACTLY)
                .into("DECIMAL(19,0)", EXACTLY)
                .into("DOUBLE", EXACTLY, Likeness.DOUBLE)
                .intoText()
                .intoVariant(EXACTLY);
    }

    private static TypeTrip oid() {
        return TypeTrip.of("oid", "oid", "gen.below(g, 'v', 4294967296)", "0", "4294967295", "2147483648")
                .into("BIGINT", EXACTLY)
                .intoText()
                .intoVariant(EXACTLY);
    }

    private static TypeTrip xid() {
        return TypeTrip.of("xid", "xid", "gen.below(g, 'v', 4294967296)::text", "'0'", "'4294967295'")
                .into("BIGINT", EXACTLY)
                .intoText()
                .intoVariant(EXACTLY);
    }

    private static TypeTrip money() {
        return TypeTrip.of(
                        "money",
                        "money",
                        "gen.whole(g, 'v')::numeric / 100",
                        "'-92233720368547758.08'",
                        "'92233720368547758.07'",
                        "'0.005'",
                        "'-0.01'")
                .into("DECIMAL(19,2)", "v::numeric")
                .printed();
    }

    private static TypeTrip float4() {
        return TypeTrip.of(
                        "float4",
                        "float4",
                        "gen.double(g, 'v', 35)",
                        "'NaN'",
                        "'Infinity'",
                        "'-Infinity'",
                        "'-0'",
                        "'1e-45'",
                        "'3.4028235e38'",
                        "'-3.4028235e38'",
                        "'1.17549435e-38'",
                        "16777216",
                        "0.1")
                .into("REAL", IF_FINITE, Likeness.SINGLE)
                .into("DOUBLE", IF_FINITE, Likeness.DOUBLE)
                .intoText()
                .intoVariant(IN_DOCUMENTS);
    }

    private static TypeTrip float8() {
        return TypeTrip.of(
                        "float8",
                        "float8",
                        "gen.double(g, 'v', 290)",
                        "'NaN'",
                        "'Infinity'",
                        "'-Infinity'",
                        "'-0'",
                        "'5e-324'",
                        "'1.7976931348623157e308'",
                        "'-1.7976931348623157e308'",
                        "'2.2250738585072014e-308'",
                        "123456789012345680000",
                        "9007199254740993",
                        "1e15",
                        "1e16",
                        "1e22",
                        "1e23",
                        "0.1",
                        "'3.4028235e38'",
                        "'3.4028236e38'",
                        "1e-7")
                .into("DOUBLE", IF_FINITE, Likeness.DOUBLE)
                .into(
                        "REAL",
                        "CASE WHEN gen.finite(v::text) AND abs(v) < %s THEN v::text END".formatted(FLOAT_LIMIT),
                        Likeness.SINGLE)
                .into(
                        "DECIMAL(30,12)",
                        "CASE WHEN gen.finite(v::text) AND abs(v) < 1e18 THEN trunc(v::text::numeric, 12) END")
                .intoText()
                .intoVariant(IN_DOCUMENTS);
    }

    private static TypeTrip numeric() {
        return TypeTrip.of(
                        "numeric",
                        "numeric",
                        "gen.decimal(g, 'v', 45, 30)",
                        "'NaN'",
                        "'Infinity'",
                        "'-Infinity'",
                        "'-0.000'",
                        "'1.500'",
                        "'1e-20'",
                        "'9999999999999999999999999999.9999999999'",
                        "'10000000000000000000000000000'",
                        "'-0.00000000009'",
                        "repeat('9', 38)",
                        "repeat('9', 38) || '.9'",
                        "'1' || repeat('0', 38)",
                        "repeat('1234567890', 100)",
                        "'-0.' || repeat('0123456789', 100)",
                        "'1e308'",
                        "'1.7976931348623158e308'",
                        "'1.7976931348623149e308'",
                        "'-1e309'")
                .into("DECIMAL(38,10)", cut(38, 10))
                .into("DECIMAL(38,0)", cut(38, 0))
                .into(
                        "DOUBLE",
                        "CASE WHEN gen.finite(v::text) AND abs(v) < %s THEN v::text END".formatted(DOUBLE_LIMIT),
                        Likeness.DOUBLE)
                .intoText()
                .intoVariant(IN_DOCUMENTS);
    }

    private static TypeTrip price() {
        return TypeTrip.of(
                        "price",
                        "numeric(12,4)",
                        "gen.decimal(g, 'v', 8, 6)",
                        "'NaN'",
                        "99999999.9999",
                        "-0.0001",
                        "10")
                .into("DECIMAL(12,4)", IF_FINITE)
                .into("DECIMAL(8,2)", cut(8, 2))
                .intoText()
                .intoVariant(IN_DOCUMENTS);
    }

    private static TypeTrip whole() {
        return TypeTrip.of(
                        "whole",
                        "numeric(18,0)",
                        "gen.decimal(g, 'v', 17, 2)",
                        "'NaN'",
                        "999999999999999999",
                        "-999999999999999999",
                        "'-0.4'")
                .into("BIGINT", IF_FINITE)
                .into("DECIMAL(18,0)", IF_FINITE)
                .intoText()
                .intoVariant(IN_DOCUMENTS);
    }

    private static TypeTrip fraction() {
        return TypeTrip.of(
                        "fraction",
                        "numeric(38,38)",
                        "gen.decimal(g, 'v', 0, 40)",
                        "'0.' || repeat('9', 38)",
                        "'-1e-38'",
                        "0")
                .into("DECIMAL(38,38)", EXACTLY)
                .intoText()
                .intoVariant(EXACTLY);
    }

    /** What is left of a numeric in DECIMAL(precision, scale). */
    private static String cut(int precision, int scale) {
        return "CASE WHEN gen.finite(v::text) AND abs(trunc(v)) < 1e%d THEN trunc(v, %d) END"
                .formatted(precision - scale, scale);
    }
}
