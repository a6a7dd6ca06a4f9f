package tidemark.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ValueKindTest {
    /** Kind, PostgreSQL's text, Feldera's answer (both recorded forms), whether they are one value. */
    static Stream<Arguments> pairs() {
        return Stream.of(
                of(ValueKind.BOOLEAN, "t", "true", true),
                of(ValueKind.BOOLEAN, "f", "true", false),
                of(ValueKind.NUMBER, "9007199254740993", "9007199254740993", true),
                of(ValueKind.NUMBER, "9007199254740993", "9007199254740992", false),
                of(ValueKind.NUMBER, "12345.678", "12345.6780000000", true),
                of(ValueKind.NUMBER, "0.00", "0.0000000000", true),
                of(ValueKind.NUMBER, "-0.01", "0.01", false),
                of(
                        ValueKind.NUMBER,
                        "99999999999999999999.999999999999999999",
                        "99999999999999999999.999999999999999998",
                        false),
                of(ValueKind.REAL, "0.1", "0.1", true),
                of(ValueKind.REAL, "1e+16", "1.0e16", true),
                of(ValueKind.REAL, "0.1", "0.10000001", false),
                of(ValueKind.REAL, "-0", "-0.0", true),
                of(ValueKind.DOUBLE, "5e-324", "5.0e-324", true),
                of(ValueKind.DOUBLE, "1.2345678901234568e+20", "1.2345678901234568e20", true),
                of(ValueKind.DOUBLE, "0.30000000000000004", "0.3", false),
                of(ValueKind.TEXT, "é\uD83C\uDF0A\n\"", "é\uD83C\uDF0A\n\"", true),
                of(ValueKind.TEXT, "é", "e\u0301", false),
                of(ValueKind.TEXT, "", " ", false),
                of(ValueKind.DATE, "2024-02-29", "2024-02-29", true),
                of(ValueKind.DATE, "2024-02-29", "2024-03-01", false),
                of(ValueKind.TIME, "12:34:56.7", "12:34:56.700", true),
                of(ValueKind.TIME, "12:34:56.789001", "12:34:56.789", false),
                of(ValueKind.TIMESTAMP, "2024-02-29 12:34:56.1", "2024-02-29T12:34:56.100", true),
                of(ValueKind.TIMESTAMP, "2024-02-29 12:34:56.123456+00", "2024-02-29T12:34:56.123456Z", true),
                of(ValueKind.TIMESTAMP, "2024-02-29 12:34:56+02", "2024-02-29T10:34:56Z", true),
                of(ValueKind.TIMESTAMP, "1900-01-01 00:00:00+00:19:32", "1899-12-31T23:40:28Z", true),
                of(ValueKind.TIMESTAMP, "2024-02-29 12:34:56.123456+00", "2024-02-29T12:34:56.123455Z", false),
                of(ValueKind.TIMESTAMP, "2024-02-29 12:34:56+00", "2024-02-29T13:34:56Z", false),
                of(ValueKind.BINARY, "\\xff00", "ff00", true),
                of(ValueKind.BINARY, "\\x", "", true),
                of(ValueKind.BINARY, "\\xff00", "ff", false),
                of(ValueKind.JSON, "{\"b\": 1.50, \"a\": [null, true]}", "{\"a\":[null,true],\"b\":1.5}", true),
                of(ValueKind.JSON, "\"a\\u00e9\"", "\"aé\"", true),
                of(ValueKind.JSON, "[1, 2]", "[2,1]", false),
                of(ValueKind.JSON, "\"1\"", "1", false),
                of(ValueKind.JSON, "{\"a\": null}", "{}", false),
                of(ValueKind.JSON, "12345678901234567890.5", "12345678901234567890.4", false));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void aPairIsEqualExactlyWhenItIsOneValue(ValueKind kind, String postgres, String feldera, boolean equal) {
        assertThat(kind.ofPostgres(postgres).isMirroredBy(kind.ofFeldera(feldera)))
                .isEqualTo(equal);
    }

    /** {@code values.unrepresentable=null}. */
    static Stream<Arguments> unrepresentable() {
        return Stream.of(
                Arguments.of(ValueKind.NUMBER, "NaN"),
                Arguments.of(ValueKind.NUMBER, "-Infinity"),
                Arguments.of(ValueKind.REAL, "Infinity"),
                Arguments.of(ValueKind.REAL, "1e39"),
                Arguments.of(ValueKind.DOUBLE, "NaN"),
                Arguments.of(ValueKind.DATE, "infinity"),
                Arguments.of(ValueKind.DATE, "0044-03-15 BC"),
                Arguments.of(ValueKind.DATE, "10000-01-01"),
                Arguments.of(ValueKind.TIMESTAMP, "-infinity"),
                Arguments.of(ValueKind.TIMESTAMP, "294276-12-31 23:59:59+00"),
                Arguments.of(ValueKind.TIME, "24:00:00"),
                Arguments.of(ValueKind.JSON, "null"));
    }

    @ParameterizedTest
    @MethodSource("unrepresentable")
    void whatFelderaCannotHoldIsMirroredByNullAndNothingElse(ValueKind kind, String postgres) {
        assertThat(kind.ofPostgres(postgres).isMirroredBy(new Cell.Null())).isTrue();
        assertThat(kind.ofPostgres(postgres).isMirroredBy(new Cell.Value("0"))).isFalse();
    }

    @Test
    void nullIsNotTheEmptyTextNorTheWordNull() {
        assertThat(new Cell.Null().isMirroredBy(new Cell.Null())).isTrue();
        assertThat(new Cell.Null().isMirroredBy(ValueKind.TEXT.ofFeldera(""))).isFalse();
        assertThat(ValueKind.TEXT.ofPostgres("null").isMirroredBy(new Cell.Null()))
                .isFalse();
    }

    @Test
    void textSortsByBytesWhereJavaWouldSortByUtf16() {
        assertThat(Stream.of("\uD83C\uDF0A", "\uFFFD", "é", "a", "A", "").sorted(ValueKind.TEXT.order()))
                .containsExactly("", "A", "a", "é", "\uFFFD", "\uD83C\uDF0A");
    }

    @Test
    void numbersSortByValue() {
        assertThat(Stream.of("10", "9", "-1", "100").sorted(ValueKind.NUMBER.order()))
                .containsExactly("-1", "9", "10", "100");
    }

    @Test
    void everyTypeOfTheDemosOwnTablesIsCompared() {
        var declared = List.of(
                "BIGINT",
                "SMALLINT",
                "INTEGER",
                "VARCHAR",
                "BOOLEAN",
                "DECIMAL",
                "REAL",
                "DOUBLE",
                "DATE",
                "TIME",
                "TIMESTAMP",
                "TIMESTAMP_TZ",
                "VARIANT",
                "VARBINARY",
                "UUID");
        assertThat(declared).allMatch(type -> ValueKind.ofFelderaType(type).isPresent());
        assertThat(ValueKind.ofFelderaType("MAP")).isEmpty();
    }

    private static Arguments of(ValueKind kind, String postgres, String feldera, boolean equal) {
        return Arguments.of(kind, postgres, feldera, equal);
    }
}
