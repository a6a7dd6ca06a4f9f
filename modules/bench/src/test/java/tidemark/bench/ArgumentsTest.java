package tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {
    @Test
    void withoutWordsEverythingIsMeasuredAtItsFullSize() {
        assertThat(Arguments.parse(List.of()))
                .isEqualTo(new Arguments(
                        List.of(Workload.W1, Workload.W3, Workload.W5), 1_000_000, 3, "512m", pace(2000, 60, 50)));
    }

    @Test
    void everyWordIsTaken() {
        assertThat(parse("--workload w5,steady --rows 2000 --runs 1 --xmx 128m --pace 9 --seconds 2 --linger 0"))
                .isEqualTo(new Arguments(List.of(Workload.W5, Workload.STEADY), 2000, 1, "128m", pace(9, 2, 0)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--workload W2",
                "--workload W1,,W3",
                "--rows 150",
                "--rows 0",
                "--rows many",
                "--rows 100000000000000000000",
                "--runs 0",
                "--runs 100",
                "--runs",
                "--xmx -1m",
                "--xmx 512",
                "--pace 0",
                "--seconds 601",
                "--linger -1",
                "--fast"
            })
    void whatItDoesNotUnderstandIsRefusedByName(String words) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(words))
                .withMessageContaining(words.substring(0, (words + ' ').indexOf(' ')));
    }

    private static Arguments.Pace pace(int perSecond, int seconds, int lingerMillis) {
        return new Arguments.Pace(perSecond, Duration.ofSeconds(seconds), Duration.ofMillis(lingerMillis));
    }

    private static Arguments parse(String words) {
        return Arguments.parse(List.of(words.split(" ", -1)));
    }
}
