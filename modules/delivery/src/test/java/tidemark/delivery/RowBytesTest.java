package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonReaderFactory;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidemark.sink.FelderaName;

class RowBytesTest {
    private static final byte[] ONE = RowBytes.ascii("1");
    private static final JsonReaderFactory JSON = Json.createReaderFactory(Map.of());
    private final RowBytes out = new RowBytes(0);

    @Test
    void isAnArrayAfterEveryOperation() {
        assertThat(text(out)).isEqualTo("[]");
        out.beginOperation(ONE);
        assertThat(text(out)).isEqualTo("[1]");
        out.beginOperation(ONE);
        assertThat(text(out)).isEqualTo("[1,1]");
        assertThat(out.operations()).isEqualTo(2);
    }

    @Test
    void rollsBackToTheMarkAsIfNothingHadBeenWritten() {
        out.beginOperation(ONE);
        long mark = out.mark();
        out.beginOperation(RowBytes.ascii("{\"half"));
        out.put(new byte[100_000]);
        out.rollback(mark);
        out.beginOperation(ONE);
        assertThat(text(out)).isEqualTo("[1,1]");
        assertThat(out.operations()).isEqualTo(2);
    }

    @Test
    void isEmptyAgainAfterClearAndGivesBackWhatOneHugeRowTook() {
        out.beginOperation(ONE);
        out.put(new byte[1_000_000]);
        out.clear();
        assertThat(text(out)).isEqualTo("[]");
        assertThat(out.operations()).isZero();
        assertThat(out.array().length).isLessThan(100_000);
    }

    @Test
    void keepsTheBytesItWasToldToRetain() {
        var retaining = new RowBytes(1_000_000);
        retaining.put(new byte[900_000]);
        byte[] before = retaining.array();
        retaining.clear();
        assertThat(retaining.array()).isSameAs(before);
        assertThat(text(retaining)).isEqualTo("[]");
    }

    @Test
    void handsTheBodyOutWithoutCopyingIt() {
        out.beginOperation(ONE);
        var body = out.body(new FelderaName("users", false));
        assertThat(body.bytes()).isSameAs(out.array());
        assertThat(new String(body.bytes(), 0, body.length(), StandardCharsets.UTF_8))
                .isEqualTo("[1]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "exactly8",
                "nine byte",
                "a\"b",
                "\"",
                "\\",
                "1234567\"",
                "12345678\"",
                "back\\slash and \"quotes\" all over \\\\\"\"",
                "line\nfeed\r\ttab",
                "\u0001\u001f\u007f",
                "é☃😀",
                "mostly ascii with one é in it",
                "Ελληνικά и русский и 日本語",
                "\u2028\u2029",
                "\uFFFF\uFFFE"
            })
    void textComesBackFromAnyJsonParser(String text) {
        for (int margin = 0; margin < 9; margin++) {
            out.clear();
            byte[] source = ("x".repeat(margin) + text + "\"").getBytes(StandardCharsets.UTF_8);
            assertThat(out.putText(source, margin, source.length - margin - 1)).isTrue();
            assertThat(parsed().getString(0)).isEqualTo(text);
        }
    }

    @Test
    void everyByteComesBackAtEveryPlaceOfAWord() {
        for (int one = 0; one < 0x80; one++) {
            for (int place = 0; place < 20; place++) {
                byte[] source = new byte[20];
                Arrays.fill(source, (byte) 'a');
                source[place] = (byte) one;
                out.clear();
                assertThat(out.putText(source, 0, source.length)).isTrue();
                assertThat(parsed().getString(0)).isEqualTo(new String(source, StandardCharsets.US_ASCII));
            }
        }
    }

    /** Cut off, overlong, a surrogate, beyond U+10FFFF, a stray continuation. */
    @Test
    void findsWhatIsNotUtf8() {
        byte[][] wrong = {
            {(byte) 0xC3},
            {(byte) 0xC0, (byte) 0x80},
            {(byte) 0xE0, (byte) 0x80, (byte) 0x80},
            {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
            {(byte) 0xF0, (byte) 0x80, (byte) 0x80, (byte) 0x80},
            {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
            {(byte) 0xF5, (byte) 0x80, (byte) 0x80, (byte) 0x80},
            {(byte) 0x80},
            {(byte) 0xE2, 'x', 'y'}
        };
        for (byte[] bytes : wrong)
            assertThat(out.putText(bytes, 0, bytes.length)).isFalse();
    }

    @Test
    void growsUnderAWorstCaseOfEscapes() {
        byte[] controls = new byte[100_000];
        out.putText(controls, 0, controls.length);
        assertThat(out.length()).isEqualTo(600_000 + 4);
    }

    @Test
    void printsEveryUnsignedByteInDecimal() {
        for (int one = 0; one < 256; one++) {
            out.clear();
            out.putDecimal(one);
            assertThat(text(out)).isEqualTo("[" + one + "]");
        }
    }

    static String text(RowBytes out) {
        return new String(out.array(), 0, out.length(), StandardCharsets.UTF_8);
    }

    private JsonArray parsed() {
        try (var reader = JSON.createReader(new ByteArrayInputStream(out.array(), 0, out.length()))) {
            return reader.readArray();
        }
    }
}
