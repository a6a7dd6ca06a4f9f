package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Feldera prints of a number it need not read as the same one. */
class FelderaNumberTest {
    private static final int TRIES = 20_000;

    /** Recorded (values.md, DOUBLE). */
    @Test
    void readsAsTheRecordedFelderaDoes() {
        assertThat(FelderaNumber.read("123456789012345680000")).isEqualTo(1.2345678901234567e20);
        assertThat(FelderaNumber.read("5e-324")).isEqualTo(Double.MIN_VALUE);
        assertThat(FelderaNumber.read("1.7976931348623157e308")).isEqualTo(Double.MAX_VALUE);
        assertThat(FelderaNumber.read("1e309")).isInfinite();
        assertThat(FelderaNumber.read("0.30000000000000004")).isEqualTo(0.30000000000000004);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0", "-0.0", "1.5", "-1.5", "16777216.0", "1e22", "3.4028235e38"})
    void whatReadsBackGoesAsItIs(String printed) {
        assertThat(FelderaNumber.spelling(printed, false)).contains(printed);
        assertThat(FelderaNumber.spelling(printed, true)).contains(printed);
    }

    /** Whatever it read a value from, what it prints of that is spelled so that it reads the value again. */
    @Test
    void everyDoubleThatFelderaHasReadHasASpelling() {
        var random = new SplittableRandom(1);
        int respelled = 0;
        for (int i = 0; i < TRIES; i++) {
            double sent = Double.longBitsToDouble(random.nextLong());
            if (!Double.isFinite(sent)) continue;
            String text = i % 2 == 0 ? Double.toString(sent) : new BigDecimal(sent).toString();
            double stored = FelderaNumber.read(text);
            if (Double.isInfinite(stored)) continue;
            String printed = Double.toString(stored);
            String spelling = FelderaNumber.spelling(printed, false)
                    .orElseThrow(() -> new AssertionError("no spelling of " + printed + ", sent as " + text));
            assertThat(FelderaNumber.read(spelling)).isEqualTo(stored);
            if (!spelling.equals(printed)) respelled++;
        }
        assertThat(respelled).as("the test is about something").isPositive();
    }

    @Test
    void everyRealHasASpelling() {
        var random = new SplittableRandom(2);
        for (int i = 0; i < TRIES; i++) {
            float stored = Float.intBitsToFloat(random.nextInt());
            if (!Float.isFinite(stored)) continue;
            String spelling =
                    FelderaNumber.spelling(Float.toString(stored), true).orElseThrow();
            assertThat((float) FelderaNumber.read(spelling)).isEqualTo(stored);
        }
    }
}
