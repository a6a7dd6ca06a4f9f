package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Numbers of a VARIANT are decimals of 38 digits, whatever JSON has. */
class VariantCodecTest {
    @Test
    void digitsBeyondTheThirtyEighthAreRoundedHalfToEven() {
        assertThat(stored("0.123456789012345678901234567890123456785"))
                .isEqualTo("0.12345678901234567890123456789012345678");
        assertThat(stored("1e-255")).hasSize(257).endsWith("1");
        assertThat(stored("1e-256")).isEqualTo("0");
        assertThat(stored("-0.0")).isEqualTo("0");
    }

    @Test
    void tooManyDigitsBeforeThePointAreRefused() {
        assertThat(stored("12345678901234567890123456789012345678")).hasSize(38);
        assertThat(stored("99999999999999999999999999999999999999.9")).isEqualTo("1" + "0".repeat(38));
        assertThatThrownBy(() -> stored("2e38")).isInstanceOf(ValueRefused.class);
    }

    private static String stored(String json) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        var out = new ByteWriter(16);
        new VariantCodec().transcode(new JsonCursor(text, 0, text.length), out);
        String shown = new String(out.copy(), StandardCharsets.UTF_8);
        return shown.substring(1, shown.length() - 1);
    }
}
