package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A PostgreSQL type of the round trip: how PostgreSQL makes its values, and which Feldera types they go into.
 *
 * @param name of what is made for it in both ends
 * @param type as PostgreSQL declares it
 * @param edges SQL of the values that the type's first rows have; the first of all is NULL
 * @param generated SQL of a value of the type from a number {@code g}
 */
record TypeTrip(String name, String type, List<String> edges, String generated, List<TripTarget> targets) {
    /** One value in so many is NULL. */
    private static final int NULLS = 25;

    static TypeTrip of(String name, String type, String generated, String... edges) {
        return new TypeTrip(name, type, List.of(edges), generated, List.of());
    }

    /**
     * Arrays of an element's values, edges and others: of one dimension, of two, with shifted bounds; into what takes
     * arrays of what the element goes into.
     */
    static TypeTrip arrayOf(TypeTrip element) {
        String line = "ARRAY(SELECT %s FROM generate_series(1, 1 + gen.below(g, 'n', 4)) i)"
                .formatted(element.other("'e' || i"));
        String lines = "ARRAY[ARRAY[%s, %s], ARRAY[%s, %s]]"
                .formatted(element.other("'a'"), element.other("'b'"), element.other("'c'"), element.other("'d'"));
        String generated = """
                CASE gen.below(g, 'shape', 8) WHEN 0 THEN %2$s
                WHEN 1 THEN ('[7:' || 6 + cardinality(%1$s) || ']=' || (%1$s)::text)::%3$s[]
                ELSE %1$s END
                """.formatted(line, lines, element.type);
        TripTarget first = element.targets.getFirst();
        TripTarget last = element.targets.getLast();
        return of(
                        element.name + "_array",
                        element.type + "[]",
                        generated,
                        "'{}'",
                        "'{NULL}'",
                        "ARRAY[ARRAY[NULL, NULL]]")
                .with(first.array())
                .with(first.arrays())
                .with(last.document())
                .intoText();
    }

    /** SQL of a value of the type, as a part of another one. */
    String other(String salt) {
        return "gen.v_%s(gen.other(g, %s, %d))".formatted(name, salt, edges.size() + 1);
    }

    TypeTrip with(TripTarget target) {
        List<TripTarget> more = new ArrayList<>(targets);
        more.add(target);
        return new TypeTrip(name, type, edges, generated, List.copyOf(more));
    }

    TypeTrip into(String feldera, String expected, Likeness likeness) {
        return with(TripTarget.of(feldera, expected, likeness));
    }

    TypeTrip into(String feldera, String expected) {
        return into(feldera, expected, Likeness.EXACT);
    }

    TypeTrip intoText() {
        return with(TripTarget.text());
    }

    /** Last of all, so that an array finds it. */
    TypeTrip intoVariant(String expected) {
        return into("VARIANT", expected, Likeness.VARIANT);
    }

    /** As a text, and as a string of the same text. */
    TypeTrip printed() {
        return intoText().intoVariant(TripTarget.text().expected());
    }

    /** {@code gen.v_…(g)}: edges for the numbers from 1 on. */
    String function() {
        String known = IntStream.range(0, edges.size())
                .mapToObj(i -> "WHEN %d THEN (%s)::%s".formatted(i + 2, edges.get(i), type))
                .collect(Collectors.joining("\n"));
        return """
                CREATE FUNCTION gen.v_%s(g int) RETURNS %s LANGUAGE sql IMMUTABLE AS $type$
                SELECT CASE g WHEN 1 THEN NULL %s ELSE CASE gen.below(g, 'null', %d) WHEN 0 THEN NULL ELSE (%s)::%s END END
                $type$
                """.formatted(name, type, known, NULLS, generated, type);
    }

    /** {@code made.…}, where the values stand before they go anywhere, by their numbers. */
    String make(int values) {
        return "CREATE UNLOGGED TABLE made.%1$s AS SELECT g, gen.v_%1$s(g) AS v FROM generate_series(1, %2$d) g"
                .formatted(name, values);
    }

    /** At both ends. */
    String column(int target) {
        return name + "_" + target;
    }

    List<String> columns() {
        return IntStream.range(0, targets.size()).mapToObj(this::column).toList();
    }

    /** Per value: number, text, and for every target what is expected there and whether something is lost. */
    String expectations() {
        return """
                SELECT g, format('%%s', v), %s
                FROM made.%s ORDER BY g
                """.formatted(
                IntStream.range(0, targets.size()).mapToObj(this::expectation).collect(Collectors.joining(", ")), name);
    }

    private String expectation(int target) {
        return "CASE WHEN v IS DISTINCT FROM NULL THEN (%s)::text END, v IS DISTINCT FROM NULL AND coalesce(%s, false)"
                .formatted(targets.get(target).expected(), targets.get(target).lost());
    }
}
