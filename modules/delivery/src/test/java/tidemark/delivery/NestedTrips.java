package tidemark.delivery;

import java.util.List;
import java.util.stream.Stream;

/** The types of the round trip that have parts: arrays, composites, hstore. */
final class NestedTrips {
    private static final String OF_PAIR =
            "json_build_object('a', (v).a, 'b', (v).b, 'c', CASE WHEN (v).c IS NOT NULL THEN array_to_json((v).c) END)";

    private NestedTrips() {}

    /** @param simple of which arrays are made too */
    static List<TypeTrip> of(List<TypeTrip> simple) {
        return Stream.of(
                        Stream.of(pair(), hstore()),
                        simple.stream().map(TypeTrip::arrayOf),
                        Stream.of(TypeTrip.arrayOf(pair()), deepArray()))
                .flatMap(all -> all)
                .toList();
    }

    /** Quotes within quotes: an array in a composite, and the composite in an array. */
    private static TypeTrip pair() {
        return TypeTrip.of(
                        "pair",
                        "gen.pair",
                        "ROW(gen.whole(g, 'a') >> 32, gen.v_text(gen.other(g, 'b', 12)),"
                                + " ARRAY[gen.v_text(gen.other(g, 'c', 12)), gen.chars(g, 'd', 9)])",
                        "ROW(NULL, NULL, NULL)",
                        "ROW(0, '', '{}')",
                        "ROW(1, '(a,\"b\\c\")', ARRAY['{x,\"y\\z\"}', NULL, 'NULL', '', '()'])")
                .into("ROW(a INTEGER, b VARCHAR, c VARCHAR ARRAY)", OF_PAIR)
                .intoText()
                .intoVariant(OF_PAIR);
    }

    private static TypeTrip hstore() {
        return TypeTrip.of(
                        "hstore",
                        "gen.hstore",
                        "gen.hstore(ARRAY[gen.chars(g, 'a', 9), gen.chars(g, 'b', 9), coalesce(gen.v_text(gen.other(g, 'c', 12)), '')],"
                                + " ARRAY[gen.v_text(gen.other(g, 'd', 12)), NULL, gen.chars(g, 'e', 9)])",
                        "''",
                        "'\"\"=>\"\"'",
                        "'NULL=>NULL, null=>\"NULL\"'",
                        "'\"a\\\"b\\\\c\"=>\"=>, \\\"\"'")
                .into("MAP<VARCHAR, VARCHAR>", "gen.hstore_to_json(v)")
                .intoText()
                .intoVariant("gen.hstore_to_json(v)");
    }

    /** Of as many dimensions as PostgreSQL allows. */
    private static TypeTrip deepArray() {
        return TypeTrip.of(
                        "deep_array",
                        "int[]",
                        "'{{{' || (gen.whole(g, 'v') >> 32) || ',NULL},{3,4}},{{5,6},{7,8}}}'",
                        "'{}'",
                        "'{{{{{{1}}}}}}'",
                        "'[2:2][-1:0]={{1,2}}'",
                        "'[2:3]={1,2}'")
                .intoVariant("array_to_json(v)")
                .intoText();
    }
}
