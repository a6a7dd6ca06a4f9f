package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same values through a connector that believes to be in another country, on another system. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class RoundTripLocaleIT {
    private final TripSource source = TripSource.any(TypeTrips::few, 30);

    @AfterAll
    void close() {
        source.close();
    }

    /**
     * In Turkish the upper case of i is not I; in Arabic {@code %d} prints other digits than 0 to 9; and a String of
     * bytes is another without UTF-8.
     *
     * @param ten what {@code %d} makes of 10 there, in hex
     */
    @ParameterizedTest
    @CsvSource({
        "ko-KR, -Duser.language=ko -Duser.country=KR -Dfile.encoding=ISO-8859-1,  ISO-8859-1, 31.30.",
        "tr-TR, -Duser.language=tr -Duser.country=TR,                             UTF-8,      31.30.",
        "ar-EG, -Duser.language=ar -Duser.country=EG -Dfile.encoding=US-ASCII,    US-ASCII,   661.660.",
    })
    void valuesDependNeitherOnTheLocaleNorOnTheCharset(
            String locale, String options, String charset, String ten, @TempDir Path directory) {
        List<String> said = new ArrayList<>();
        try (var trip = new RoundTrip(source, directory)) {
            List<Outcome> outcomes = trip.run(ends -> {
                var process = new CarrierProcess(ends, List.of(options.split(" ", -1)));
                said.add(process.defaults());
                return process;
            });
            System.out.println("round trip of " + outcomes.size() + " types under " + said.getFirst());
            assertThat(outcomes)
                    .allSatisfy(outcome -> assertThat(outcome.differences()).isEmpty());
        }
        assertThat(said).containsExactly("locale=%s charset=%s ten=%s".formatted(locale, charset, ten));
    }
}
