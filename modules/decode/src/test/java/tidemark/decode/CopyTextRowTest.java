package tidemark.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidemark.decode.Tuple.ColumnKind;

class CopyTextRowTest {
    @Test
    void readsPlainRowsWhereTheyAre() {
        byte[] row = bytes("12\tzoé\t\n");
        Tuple tuple = new CopyTextRow(3).read(row);
        assertThat(texts(tuple)).containsExactly("12", "zoé", "");
        assertThat(tuple.buffer()).isSameAs(row);
    }

    /** The row that PostgreSQL 15.17 prints for {@code E'\b\f\n\r\t\v\\.\x01\x7fé', NULL}. */
    @Test
    void readsWhatPostgresEscapes() {
        Tuple tuple = new CopyTextRow(2).read(bytes("\\b\\f\\n\\r\\t\\v\\\\.\u0001\u007fé\t\\N\n"));
        assertThat(tuple.text(0)).isEqualTo("\b\f\n\r\t\u000B\\.\u0001\u007fé");
        assertThat(tuple.kind(1)).isEqualTo(ColumnKind.NULL);
    }

    @Test
    void leavesTheCallersBytesAlone() {
        byte[] row = bytes("a\\tb\tc\\\\\n");
        Tuple tuple = new CopyTextRow(2).read(row);
        assertThat(texts(tuple)).containsExactly("a\tb", "c\\");
        assertThat(row).isEqualTo(bytes("a\\tb\tc\\\\\n"));
    }

    @Test
    void keepsNullEmptyAndABackslashedNApart() {
        Tuple tuple = new CopyTextRow(5).read(bytes("\\N\t\t\\\\N\t\\Na\ta\\N\n"));
        assertThat(tuple.kind(0)).isEqualTo(ColumnKind.NULL);
        assertThat(List.of(tuple.text(1), tuple.text(2), tuple.text(3), tuple.text(4)))
                .containsExactly("", "\\N", "Na", "aN");
    }

    @ParameterizedTest
    @CsvSource({
        "\\101, A", "\\1012, A2", "\\60, 0", "\\7z, '\u0007z'", "\\501, A", // octal, one to three digits, low byte
        "\\x41, A", "\\x412, A2", "\\x4z, '\u0004z'", "\\x, x", "\\xg, xg", // hexadecimal, one or two
        "\\q, q", "\\é, é", "\\\\N, \\N", "a\\\\, a\\"
    })
    void readsTheEscapesThatPostgresOnlyReads(String written, String meant) {
        assertThat(texts(new CopyTextRow(1).read(bytes(written + "\n")))).containsExactly(meant);
    }

    @Test
    void readsRowsOfOneAndOfNoColumn() {
        assertThat(texts(new CopyTextRow(1).read(bytes("\n")))).containsExactly("");
        assertThat(new CopyTextRow(1).read(bytes("\\N\n")).kind(0)).isEqualTo(ColumnKind.NULL);
        assertThat(new CopyTextRow(0).read(bytes("\n")).size()).isZero();
    }

    @Test
    void forgetsTheRowBefore() {
        CopyTextRow row = new CopyTextRow(2);
        assertThat(texts(row.read(bytes("\\\\long value\t\\\\another\n"))))
                .containsExactly("\\long value", "\\another");
        assertThat(texts(row.read(bytes("\\\\\ta\n")))).containsExactly("\\", "a");
        assertThat(texts(row.read(bytes("b\tc\n")))).containsExactly("b", "c");
    }

    @Test
    void readsAnEscapedRowOfAnySize() {
        CopyTextRow row = new CopyTextRow(2);
        String large = "x".repeat(3_000_000);
        assertThat(texts(row.read(bytes(large + "\\n\t" + large + "\\t\n"))))
                .containsExactly(large + "\n", large + "\t");
        assertThat(texts(row.read(bytes("\\n\t\\t\n")))).containsExactly("\n", "\t");
    }

    @ParameterizedTest(name = "{2} at {1}")
    @CsvSource({
        "'', 0, a newline after the row",
        "a|b, 3, a newline after the row",
        "a/, 1, a row of 2 columns",
        "a\\|b/, 4, a row of 2 columns",
        "/, 0, a row of 2 columns",
        "a|b|c/, 4, the end of a row of 2 columns",
        "a|b|/, 4, the end of a row of 2 columns",
        "\\N|\\N|\\N/, 6, the end of a row of 2 columns",
        "a|b\\/, 4, a character after the backslash",
        "\\\\|\\/, 4, a character after the backslash",
        "a/b|c/, 1, newlines of values escaped",
        "\\\\a/b|c/, 3, newlines of values escaped",
        "\\./, 1, 'a row, not the end-of-data marker'"
    })
    void saysWhereARowIsMalformedAndWhatWasExpected(String written, int offset, String expectation) {
        // | is a tab and / a newline: the bytes themselves would not survive the table
        byte[] row = bytes(written.replace('|', '\t').replace('/', '\n'));
        assertThatExceptionOfType(MalformedMessage.class)
                .isThrownBy(() -> new CopyTextRow(2).read(row))
                .withMessageContaining(expectation)
                .satisfies(malformed -> assertThat(malformed.offset()).isEqualTo(offset));
    }

    @Test
    void refusesValuesWhereThereAreNoColumns() {
        assertThatExceptionOfType(MalformedMessage.class).isThrownBy(() -> new CopyTextRow(0).read(bytes("a\n")));
        assertThatIllegalArgumentException().isThrownBy(() -> new CopyTextRow(-1));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<String> texts(Tuple tuple) {
        return IntStream.range(0, tuple.size()).mapToObj(tuple::text).toList();
    }
}
