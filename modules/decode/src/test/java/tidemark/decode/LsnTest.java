package tidemark.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LsnTest {
    @ParameterizedTest
    @CsvSource({
        "0/0, 0",
        "0/1525988, 22174088",
        "16/B374D848, 97500059720",
        "7FFFFFFF/FFFFFFFF, 9223372036854775807",
        "80000000/0, -9223372036854775808",
        "FFFFFFFF/FFFFFFFF, -1"
    })
    void readsAndPrintsAsPostgresDoes(String text, long value) {
        assertThat(Lsn.parse(text)).isEqualTo(new Lsn(value));
        assertThat(new Lsn(value)).hasToString(text);
    }

    /** PostgreSQL reads both cases and leading zeros, and newer versions print the zeros. */
    @Test
    void readsOtherSpellingsOfTheSamePosition() {
        assertThat(Lsn.parse("00000016/b374d848")).isEqualTo(Lsn.parse("16/B374D848"));
        assertThat(Lsn.parse("0/01525988")).isEqualTo(Lsn.parse("0/1525988"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "0",
                "0/",
                "/0",
                "0/0/0",
                " 0/0",
                "0/0 ",
                "0/G",
                "-1/0",
                "0/-1",
                "+1/0",
                "0/+1",
                "000000001/0",
                "0/000000001",
                "0x1/0",
                "\uFF11/0",
                "0-0"
            })
    void refusesWhatPostgresWouldNotPrint(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Lsn.parse(text)).withMessageContaining("is not an LSN");
    }

    /** The upper half of the range is ahead of the lower one, though its numbers are negative in Java. */
    @Test
    void ordersPositionsUnsigned() {
        assertThat(Lsn.ZERO)
                .isLessThan(new Lsn(1))
                .isLessThan(new Lsn(Long.MAX_VALUE))
                .isLessThan(new Lsn(Long.MIN_VALUE))
                .isLessThan(new Lsn(-1));
        assertThat(new Lsn(-1).isAfter(new Lsn(Long.MAX_VALUE))).isTrue();
        assertThat(new Lsn(7).isAfter(new Lsn(7))).isFalse();
        assertThat(Lsn.later(new Lsn(1), new Lsn(-1))).isEqualTo(new Lsn(-1));
    }

    @Test
    void measuresDistanceForwardsOnly() {
        assertThat(new Lsn(0x1_0000_0010L).bytesSince(new Lsn(0xFFFF_FFF0L))).isEqualTo(32);
        assertThat(new Lsn(Long.MIN_VALUE + 4).bytesSince(new Lsn(Long.MAX_VALUE)))
                .isEqualTo(5);
        assertThat(new Lsn(7).bytesSince(new Lsn(7))).isZero();
        assertThat(new Lsn(7).bytesSince(new Lsn(8))).isZero();
    }
}
