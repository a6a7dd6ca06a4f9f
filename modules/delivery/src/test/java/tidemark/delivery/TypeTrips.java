package tidemark.delivery;

import java.util.List;
import java.util.stream.Stream;

/** Every type of the round trip that a PostgreSQL has. */
final class TypeTrips {
    private TypeTrips() {}

    /** Of a PostgreSQL of this major. */
    static List<TypeTrip> every(int major) {
        return Stream.of(simple(major), NestedTrips.all(), NestedTrips.arrays(simple(major)))
                .flatMap(List::stream)
                .toList();
    }

    /** Without arrays of every type. */
    static List<TypeTrip> few(int major) {
        return Stream.concat(simple(major).stream(), NestedTrips.all().stream()).toList();
    }

    private static List<TypeTrip> simple(int major) {
        return Stream.of(NumberTrips.of(major), TextTrips.all(), TimeTrips.all(), PrintedTrips.all(), DomainTrips.all())
                .flatMap(List::stream)
                .toList();
    }
}
