package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonCursorTest {
    @Test
    void decodesEveryEscape() {
        JsonCursor in = JsonCursor.over("\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\u2603\"");
        in.readString();
        assertThat(in.isEscaped()).isTrue();
        assertThat(in.string()).isEqualTo("a\"\\/\b\f\n\r\t\u00e9\ud83d\ude00\u2603");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\\ud800\"", "\"\\ud800x\"", "\"\\ud800\\u0041\"", "\"\\udc00\""})
    void refusesALoneSurrogate(String json) {
        JsonCursor in = JsonCursor.over(json);
        in.readString();
        assertThatThrownBy(in::string).isInstanceOf(ValueRefused.class);
    }

    @Test
    void refusesBytesThatAreNoUtf8() {
        byte[][] bad = {
            {'"', (byte) 0xff, '"'},
            {'"', (byte) 0xc0, (byte) 0x80, '"'},
            {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'},
            {'"', (byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80, '"'},
            {'"', (byte) 0xe2, (byte) 0x98, '"'}
        };
        for (byte[] json : bad) {
            assertThatThrownBy(() -> new JsonCursor(json, 0, json.length).readString())
                    .isInstanceOf(MalformedJson.class);
        }
    }

    @Test
    void refusesWhatIsNestedTooDeep() {
        JsonCursor.over("[".repeat(128) + "]".repeat(128)).skipValue();
        assertThatThrownBy(
                        () -> JsonCursor.over("[".repeat(129) + "]".repeat(129)).skipValue())
                .isInstanceOf(MalformedJson.class);
    }

    @Test
    void saysWhereItStopped() {
        JsonCursor in = JsonCursor.over("{\n  \"a\": 1 \"b\"}");
        assertThatThrownBy(in::skipValue).isInstanceOfSatisfying(MalformedJson.class, malformed -> {
            assertThat(malformed).hasMessage("expected `,` or `}`");
            assertThat(in.positionOf(malformed.offset())).isEqualTo(" at line 2 column 10");
        });
    }
}
