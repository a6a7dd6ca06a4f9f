package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SerdeNumberTest {
    private static double parse(String number) {
        byte[] text = number.getBytes(StandardCharsets.US_ASCII);
        return SerdeNumber.parse(text, 0, text.length);
    }

    @Test
    void isExactForWhatPeopleWrite() {
        for (String number :
                new String[] {"0", "-0.0", "1.5", "0.1", "1e5", "16777217", "-12345.678", "1E-3", "9007199254740993"}) {
            assertThat(parse(number)).as(number).isEqualTo(Double.parseDouble(number));
        }
    }

    @Test
    void roundsTwiceAsTheRecordedFelderaDoes() {
        assertThat(parse("123456789012345680000")).isEqualTo(1.2345678901234567e20);
    }

    @Test
    void isNeverFartherThanTheLastBits() {
        var random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value) && Math.abs(value) > Double.MIN_NORMAL && Math.abs(value) < 1e300) {
                assertThat(parse(Double.toString(value))).isCloseTo(value, Offset.offset(3 * Math.ulp(value)));
            }
        }
    }

    @Test
    void endsAtInfinityAndAtZero() {
        assertThat(parse("1e309")).isInfinite();
        assertThat(parse("-1e99999999999999999999")).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(parse("1e-99999999999999999999")).isZero();
        assertThat(parse("0e99999999999999999999")).isZero();
        assertThat(parse("5e-324")).isEqualTo(Double.MIN_VALUE);
    }
}
