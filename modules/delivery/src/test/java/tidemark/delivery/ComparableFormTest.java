package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tidemark.delivery.ComparableForm.Wording;

/** What is sent and what Feldera answers for it, by values.md and feldera.md 4, are one; other values are others. */
class ComparableFormTest {
    private static byte[] read(String type, Wording wording, String json) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        var cursor = new JsonCursor();
        cursor.read(text, 0, text.length);
        var out = new ComparableBytes();
        form(type).put(cursor, wording, out);
        cursor.expectEnd();
        return out.copy();
    }

    private static ComparableForm form(String type) {
        return ComparableForm.of(TableFixture.columnType(type)).orElseThrow();
    }

    private static boolean isSame(String type, String sent, String answered) {
        byte[] a = read(type, Wording.INGRESS, sent);
        byte[] b = read(type, Wording.ANSWER, answered);
        return form(type).isSame(a, 0, a.length, b, 0, b.length);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "BOOLEAN|true|true",
                "INTEGER|-2147483648|-2147483648",
                "BIGINT|9223372036854775807|9223372036854775807",
                "UBIGINT|18446744073709551615|18446744073709551615",
                "DECIMAL(38,10)|\"12345.678\"|12345.6780000000",
                "DECIMAL(38,10)|\"-0.5\"|-0.5000000000",
                "DECIMAL(38,10)|\"-0\"|0.0000000000",
                "DECIMAL(38,10)|\"1234567890123456789012345678.1234567890\"|1234567890123456789012345678.1234567890",
                "DECIMAL(38,0)|\"-99999999999999999999999999999999999999\"|-99999999999999999999999999999999999999",
                "DECIMAL(12,2)|\"100\"|100.00",
                "REAL|16777217|16777216.0",
                "REAL|0.1|0.1",
                "REAL|1e+20|1.0e20",
                "DOUBLE|-0|0.0",
                "DOUBLE|5e-324|5.0e-324",
                "DOUBLE|1.7976931348623157e+308|1.7976931348623157e308",
                "DOUBLE|123456789012345680000|1.2345678901234567e20",
                "DOUBLE|0.1|0.10000000000000003",
                "VARCHAR|\"a\\\"b\\\\c\\n\\u0001é☃😀\"|\"a\\u0022b\\\\c\\n\\u0001\\u00e9\\u2603\\ud83d\\ude00\"",
                "CHAR(5)|\"ab   \"|\"ab   \"",
                "VARBINARY|[]|\"\"",
                "VARBINARY|[0,255,16]|\"00ff10\"",
                "DATE|\"2024-02-29\"|\"2024-02-29\"",
                "TIME|\"12:34:56.10\"|\"12:34:56.1\"",
                "TIME|\"12:34:56\"|\"12:34:56.000000000\"",
                "TIMESTAMP|\"2024-02-29 12:34:56.12\"|\"2024-02-29T12:34:56.120\"",
                "TIMESTAMP|\"2024-02-29 12:34:56+00:00\"|\"2024-02-29T12:34:56\"",
                "TIMESTAMP_TZ|\"2024-02-29 12:34:56+00:00\"|\"2024-02-29T12:34:56Z\"",
                "TIMESTAMP_TZ|\"2024-02-29 01:34:00.5+02:00\"|\"2024-02-28T23:34:00.500Z\"",
                "UUID|\"550e8400-e29b-41d4-a716-446655440000\"|\"550e8400-e29b-41d4-a716-446655440000\"",
                "VARIANT|{\"b\": [true, null, \"x\"], \"a\": 1.50, \"b\":[]}|\"{\\\"a\\\":1.5,\\\"b\\\":[]}\"",
                "VARIANT|\"[1,2]\"|\"\\\"[1,2]\\\"\"",
                "VARIANT|1e2|\"100\"",
                "VARIANT|-0.0|\"0\"",
                "VARIANT|{\"\\u00e9\":{}}|\"{\\\"é\\\":{}}\"",
                "INTEGER ARRAY|[1,null,3]|[1,null,3]",
                "INTEGER ARRAY ARRAY|[[1],[]]|[[1],[]]",
                "DECIMAL(10,2) ARRAY|[\"1.5\",null]|[1.50,null]",
                "DOUBLE ARRAY|[0.1,123456789012345680000]|[0.1,1.2345678901234567e20]",
                "VARBINARY ARRAY|[[0,255],[]]|[\"00ff\",\"\"]",
                "VARIANT ARRAY|[{\"a\": 1.0},null]|[\"{\\\"a\\\":1}\",null]",
                "TIMESTAMP_TZ ARRAY|[\"2026-03-29 00:30:00+00:00\"]|[\"2026-03-29T00:30:00Z\"]",
                "MAP<VARCHAR!, DECIMAL(10,2)>|{\"b\":\"1\",\"a\":null}|{\"a\":null,\"b\":1.00}",
                "ROW(n INTEGER, t VARCHAR, l DOUBLE ARRAY)|{\"t\":\"x\",\"n\":1,\"l\":null}|{\"n\":1,\"t\":\"x\",\"l\":null}",
                "ROW(n INTEGER, t VARCHAR)|{\"n\":1}|{\"n\":1,\"t\":null}",
                "VARIANT!|null|\"null\"",
                "VARIANT!|null|null",
                "INTEGER|null|null"
            })
    void whatIsSentAndWhatIsAnsweredForItAreOne(String type, String sent, String answered) {
        assertThat(isSame(type, sent, answered)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "BOOLEAN|true|false",
                "BOOLEAN|false|null",
                "BIGINT|9007199254740993|9007199254740992",
                "DECIMAL(38,10)|\"1\"|1.0000000001",
                "REAL|0.1|0.10000001",
                "DOUBLE|0.999999999999999|0.999999999999998",
                "DOUBLE|0.1|0.10000000000000007",
                "DOUBLE|0|null",
                "VARCHAR|\"a\"|\"a \"",
                "VARCHAR|\"\"|null",
                "VARBINARY|[0]|\"\"",
                "TIME|\"12:34:56\"|\"12:34:56.000001\"",
                "TIMESTAMP|\"2024-02-29 12:34:56\"|\"2024-02-29T12:34:57\"",
                "INTEGER ARRAY|[1,2]|[1]",
                "INTEGER ARRAY|[]|null",
                "INTEGER ARRAY ARRAY|[[1],[2]]|[[1,2]]",
                "INTEGER ARRAY|[null]|[]",
                "DOUBLE ARRAY|[0.1]|[0.2]",
                "MAP<VARCHAR!, VARCHAR>|{\"a\":\"b\"}|{\"b\":\"a\"}",
                "MAP<VARCHAR!, VARCHAR>|{\"a\":null}|{}",
                "ROW(n INTEGER, m INTEGER)|{\"n\":1,\"m\":2}|{\"n\":2,\"m\":1}",
                "VARIANT|[1]|\"1\"",
                "VARIANT|\"1\"|\"1\"",
                "VARIANT|[[],[]]|\"[[[]]]\"",
                "VARIANT|{\"a\":\"b\",\"c\":1}|\"{\\\"a\\\":{\\\"b\\\":1},\\\"c\\\":1}\"",
                "VARIANT|{\"a\":null}|\"{}\""
            })
    void anotherValueIsAnother(String type, String sent, String answered) {
        assertThat(isSame(type, sent, answered)).isFalse();
    }

    /** Each line ascends, NULL last: the order in which both ends are asked for rows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "BOOLEAN false true null",
                "INTEGER -2147483648 -1 0 9 10 2147483647 null",
                "UBIGINT 0 9223372036854775807 18446744073709551615",
                "DECIMAL(38,2) -99999999999999999999999999 -1.01 -1.00 -0.99 0 0.01 1 10 18446744073709551616 99999999999999999999999999",
                "REAL -3.4028235e38 -1.5 -1e-45 0 1e-45 1.5 3.4e38 null",
                "DOUBLE -1e300 -1 0 5e-324 1 1e300",
                "VARCHAR \"\" \"A\" \"A\\u0000\" \"AB\" \"a\" \"\\u007f\" \"\\u00e9\" \"\\u2603\" \"\\uffff\" \"\\ud83d\\ude00\" null",
                "VARBINARY [] [0] [0,0] [1] [127] [128] [255] [255,0]",
                "DATE \"0001-01-01\" \"1969-12-31\" \"2024-02-29\" \"9999-12-31\"",
                "TIME \"00:00:00\" \"00:00:00.000001\" \"00:00:00.1\" \"00:00:01\" \"23:59:59.999999\"",
                "TIMESTAMP \"0001-01-01T00:00:00\" \"1969-12-31T23:59:59.999999\" \"1970-01-01T00:00:00\" \"1970-01-01T00:00:00.5\"",
                "UUID \"00000000-0000-0000-0000-000000000000\" \"7fffffff-0000-0000-0000-000000000000\" \"a0000000-0000-0000-0000-000000000000\""
            })
    void formsSortAsValuesDo(String line) {
        String[] words = line.split(" ", -1);
        for (int i = 1; i + 1 < words.length; i++) {
            byte[] less = read(words[0], Wording.INGRESS, words[i]);
            byte[] more = read(words[0], Wording.INGRESS, words[i + 1]);
            assertThat(Arrays.compareUnsigned(less, more))
                    .as("%s before %s", words[i], words[i + 1])
                    .isNegative();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "BOOLEAN|\"true\"",
                "INTEGER|true",
                "INTEGER|1.5",
                "INTEGER|-",
                "BIGINT|1e1000000000",
                "DECIMAL(12,2)|1.005",
                "DECIMAL(38,0)|1000000000000000000000000000000000000000",
                "DOUBLE|\"NaN\"",
                "DOUBLE|1-1",
                "VARCHAR|1",
                "VARCHAR|\"a",
                "VARCHAR|\"\\x\"",
                "VARCHAR|\"\\ud800\"",
                "VARCHAR|\"\\ud800\\u0041\"",
                "VARCHAR|\"\\u12\"",
                "VARBINARY|\"abc\"",
                "VARBINARY|\"zz\"",
                "VARBINARY|[256]",
                "VARBINARY|[1",
                "VARIANT|\"{\\\"a\\\":1\"",
                "VARIANT|\"1 2\"",
                "VARIANT|\"nul\"",
                "INTEGER ARRAY|[1",
                "MAP<VARCHAR!, VARCHAR>|{\"a\"}",
                "ROW(n INTEGER)|{\"m\":1}",
                "VARIANT|{}"
            })
    void whatTheTypeCannotHaveIsNoValueAtAll(String type, String answered) {
        assertThatThrownBy(() -> read(type, Wording.ANSWER, answered))
                .isInstanceOf(UnreadableValue.class)
                .hasMessageStartingWith("expected ");
    }

    @Test
    void aTypeWithoutMappingHasNoForm() {
        assertThat(ComparableForm.of(TableFixture.columnType("INTERVAL_DAY"))).isEmpty();
    }
}
