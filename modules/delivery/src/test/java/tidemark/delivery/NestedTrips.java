package tidemark.delivery;

import java.util.List;

/** The types of the round trip that have parts: arrays, composites, hstore. */
final class NestedTrips {
    private static final String OF_PAIR =
            "json_build_object('a', (v).a, 'b', (v).b, 'c', CASE WHEN (v).c IS NOT NULL THEN array_to_json((v).c) END)";

    private static final String SEEN = "coalesce((v).seen >= '0001-01-01+00' AND (v).seen < '10000-01-01+00', true)";
    private static final String PRICED = "coalesce(gen.finite((v).price::text), true)";

    private static final String THING_AS_ROW =
            """
            CASE WHEN (v).id IS NOT NULL THEN json_build_object(
                'seen', CASE WHEN %s THEN %s END, 'id', (v).id, 'Name', (v)."Name",
                'price', CASE WHEN %s THEN (v).price END, 'more', NULL) END
            """.formatted(SEEN, TimeTrips.IN_UTC.replace("(v,", "((v).seen,"), PRICED);

    private static final String THING_AS_DOCUMENT = """
            json_build_object('id', (v).id, 'Name', (v)."Name", 'price', CASE WHEN %s THEN (v).price END,
                'seen', CASE WHEN (v).seen IS NOT NULL THEN format('%%s', (v).seen) END, 'extra', (v).extra)
            """.formatted(PRICED);

    private NestedTrips() {}

    static List<TypeTrip> all() {
        return List.of(pair(), thing(), tags(), hstore(), TypeTrip.arrayOf(pair()), arrayOfTags(), deepArray());
    }

    static List<TypeTrip> arrays(List<TypeTrip> elements) {
        return elements.stream().map(TypeTrip::arrayOf).toList();
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

    /** Fields by name, in another order, one that the ROW lacks, one that it has alone, and one that must be there. */
    private static TypeTrip thing() {
        return TypeTrip.of(
                        "thing",
                        "gen.thing",
                        "ROW(gen.v_int4(gen.other(g, 'a', 5)), gen.v_text(gen.other(g, 'b', 12)),"
                                + " gen.v_price(gen.other(g, 'c', 5)), gen.v_timestamptz(gen.other(g, 'd', 13)), 'left out')",
                        "ROW(NULL, NULL, NULL, NULL, NULL)",
                        "ROW(1, '', 'NaN', 'infinity', '')")
                .with(new TripTarget(
                        "ROW(seen TIMESTAMP WITH TIME ZONE, id INTEGER NOT NULL, \"Name\" VARCHAR, price DECIMAL(12,4),"
                                + " more INTEGER)",
                        THING_AS_ROW,
                        "(v).id IS NULL OR NOT (%s) OR NOT (%s)".formatted(SEEN, PRICED),
                        Likeness.EXACT))
                .intoText()
                .with(new TripTarget("VARIANT", THING_AS_DOCUMENT, "NOT (%s)".formatted(PRICED), Likeness.VARIANT));
    }

    /** A domain over an array. */
    private static TypeTrip tags() {
        return TypeTrip.of(
                        "tags",
                        "gen.tags",
                        "ARRAY[gen.v_text(gen.other(g, 'a', 12)), gen.chars(g, 'b', 9)]",
                        "'{}'",
                        "'[0:1]={\"\",NULL}'")
                .into("VARCHAR ARRAY", "array_to_json(v)")
                .intoText()
                .intoVariant("array_to_json(v)");
    }

    /** Not an array of two dimensions, although Feldera's is: its elements print in quotes. */
    private static TypeTrip arrayOfTags() {
        TripTarget element = tags().targets().getFirst();
        return TypeTrip.of(
                        "tags_array",
                        "gen.tags[]",
                        "ARRAY[%s, %s]".formatted(tags().other("'a'"), tags().other("'b'")),
                        "'{}'")
                .with(element.array())
                .intoText()
                .with(tags().targets().getLast().array().in("VARIANT"));
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
