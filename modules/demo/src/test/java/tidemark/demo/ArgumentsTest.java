package tidemark.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {
    @Test
    void withoutOptionsEverythingIsEmbeddedAndTheServiceIsKilledOnce() {
        Arguments arguments = Arguments.parse(List.of());
        assertThat(arguments.source()).isEqualTo(new Arguments.Source.Embedded());
        assertThat(arguments.destination()).isEqualTo(new Arguments.Destination.Standin());
        assertThat(arguments.workloadFor()).isEqualTo(Duration.ofSeconds(30));
        assertThat(arguments.kills()).isTrue();
    }

    @Test
    void givenServersReplaceWhatWouldBeStarted() {
        Arguments arguments =
                Arguments.parse(words("--postgres postgresql://db/shop --tables users,items:LINEITEMS --publication p"
                        + " --feldera http://feldera:8080/ --pipeline shop --no-kill"));
        assertThat(arguments.source())
                .isEqualTo(new Arguments.Source.Given("postgresql://db/shop", "users,items:LINEITEMS", "p"));
        assertThat(arguments.destination())
                .isEqualTo(new Arguments.Destination.Given(URI.create("http://feldera:8080"), "shop"));
        assertThat(arguments.kills()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"500ms,500", "20s,20000", "2m,120000", "1h,3600000"})
    void durationsHaveAUnit(String text, long millis) {
        assertThat(Arguments.parse(List.of("--for", text)).workloadFor()).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--forever",
                "--for",
                "--for 30",
                "--for soon",
                "--rate 0",
                "--rate many",
                "--seed x",
                "--pipeline p",
                "--feldera http://f:8080",
                "--feldera ftp://f --pipeline p",
                "--tables users",
                "--publication p",
                "--postgres postgresql://db/shop --tables users",
                "--postgres postgresql://db/shop --feldera http://f --pipeline p"
            })
    void whatIsNotUnderstoodOrIncompleteEndsWithTheUsageCode(String line) {
        assertThatThrownBy(() -> Arguments.parse(words(line)))
                .isInstanceOfSatisfying(
                        DemoFailure.class,
                        failure -> assertThat(failure.exitCode()).isEqualTo(64));
    }

    @Test
    void credentialsInTheUrlWinOverTheEnvironmentAndAreNeverPrinted() {
        var environment = java.util.Map.of("POSTGRES_USER", "env", "POSTGRES_PASSWORD", "envsecret");
        assertThat(SourceDatabase.of("postgresql://me:secret@db:5433/shop?sslmode=require", environment))
                .isEqualTo(new SourceDatabase("jdbc:postgresql://db:5433/shop?sslmode=require", "me", "secret"))
                .hasToString("SourceDatabase[jdbc:postgresql://db:5433/shop?sslmode=require, user=me]");
        assertThat(SourceDatabase.of("jdbc:postgresql://db/shop", environment))
                .isEqualTo(new SourceDatabase("jdbc:postgresql://db/shop", "env", "envsecret"));
        assertThatThrownBy(() -> SourceDatabase.of("mysql://db/shop", environment))
                .isInstanceOfSatisfying(
                        DemoFailure.class,
                        failure -> assertThat(failure.exitCode()).isEqualTo(64));
    }

    private static List<String> words(String line) {
        return List.of(line.split(" "));
    }
}
