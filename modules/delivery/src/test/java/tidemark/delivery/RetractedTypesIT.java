package tidemark.delivery;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every value that Feldera has of every type, edges among them, can be named again by what {@code /query} answers: in a
 * table without key a delete that named another row would leave this one there, and make every query fail on the other.
 */
@Tag("slow")
class RetractedTypesIT {
    @Test
    void aTruncateNamesEveryRowOfTablesWithoutKey(@TempDir Path directory) {
        try (var source = TripSource.any(TypeTrips::every, 60);
                var trip = RoundTrip.keyless(source, directory)) {
            trip.truncate();
        }
    }
}
