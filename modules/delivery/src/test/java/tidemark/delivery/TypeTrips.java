package tidemark.delivery;

import java.util.List;
import java.util.stream.Stream;
import tidemark.replication.TestPostgres;

/** Every type of the round trip that a PostgreSQL has. */
final class TypeTrips {
    private TypeTrips() {}

    /** Of any seed, unless {@code tidemark.seed} says which; {@code tidemark.values} says how many values. */
    static TripSource source(TestPostgres postgres, int values) {
        long seed = Long.getLong("tidemark.seed", System.nanoTime());
        System.out.println("round trip seed: -Dtidemark.seed=" + Long.toString(seed));
        return new TripSource(
                postgres, all(postgres.serverMajor()), Integer.getInteger("tidemark.values", values), seed);
    }

    private static List<TypeTrip> all(int major) {
        List<TypeTrip> simple = Stream.of(
                        NumberTrips.of(major), TextTrips.all(), TimeTrips.all(), PrintedTrips.all(), DomainTrips.all())
                .flatMap(List::stream)
                .toList();
        return Stream.concat(simple.stream(), NestedTrips.of(simple).stream()).toList();
    }
}
