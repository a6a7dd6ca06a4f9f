package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Whatever PostgreSQL holds is what Feldera holds, type by type, copied and streamed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RoundTripContract {
    private List<Outcome> outcomes = List.of();

    /** Of every type. */
    abstract int values();

    @BeforeAll
    void send(@TempDir Path directory) {
        try (var source = TripSource.any(TypeTrips::every, values());
                var trip = new RoundTrip(source, directory)) {
            outcomes = trip.run(CarrierHere::new);
        }
        outcomes.forEach(outcome -> System.out.println(outcome.line()));
    }

    @TestFactory
    Stream<DynamicTest> felderaHoldsWhatPostgresHolds() {
        return outcomes.stream()
                .map(outcome -> DynamicTest.dynamicTest(
                        outcome.type().name(),
                        () -> assertThat(outcome.differences()).isEmpty()));
    }
}
