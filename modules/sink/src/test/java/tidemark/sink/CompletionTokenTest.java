package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionTokenTest {
    /** Recorded: feldera/05-completion-tokens. */
    @Test
    void readsIncarnationEndpointAndCountOfARecordedToken() {
        String text = "eyJ1IjoiMDFhMjI4YWQtYTRhYi03YWUzLTlmYjItNDcwZTk1OThiNzQ1IiwiZSI6MCwiYyI6NjN9";

        assertThat(CompletionToken.read(text).text()).isEqualTo(text);
        assertThat(CompletionToken.read(text).mark())
                .hasValue(new CompletionToken.Mark("01a228ad-a4ab-7ae3-9fb2-470e9598b745", 0, 63));
    }

    @Test
    void readsBothAlphabetsWithAndWithoutPadding() {
        byte[] json = "{\"u\":\"\u00fb\u00ff\u00fe~~~???>>>\",\"e\":5,\"c\":7}".getBytes(StandardCharsets.UTF_8);
        for (Base64.Encoder encoder : new Base64.Encoder[] {Base64.getEncoder(), Base64.getUrlEncoder()}) {
            String padded = encoder.encodeToString(json);
            String bare = encoder.withoutPadding().encodeToString(json);
            assertThat(padded).containsAnyOf("+", "/", "-", "_").isNotEqualTo(bare);
            assertThat(CompletionToken.read(padded).mark())
                    .hasValueSatisfying(mark -> assertThat(mark.count()).isEqualTo(7));
            assertThat(CompletionToken.read(bare).mark())
                    .isEqualTo(CompletionToken.read(padded).mark());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "garbage", "!!!", "eyJ4IjoxfQ", "W10", "bnVsbA", "eyJ1IjoxLCJlIjoieCJ9"})
    void aTokenThatCannotBeReadIsStillAToken(String text) {
        assertThat(CompletionToken.read(text).text()).isEqualTo(text);
        assertThat(CompletionToken.read(text).mark()).isEmpty();
    }
}
