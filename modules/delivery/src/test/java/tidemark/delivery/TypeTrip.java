package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A PostgreSQL type of the round trip: how PostgreSQL makes its values, and which Feldera types they go into. A table
 * of the type's name has the value once for every target, in the columns {@code v0}, {@code v1}, …
 *
 * @param name of the table at both ends
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

    /** An array of an element's values, edges and others, into all that takes arrays of what the element goes into. */
    static TypeTrip arrayOf(TypeTrip element, String... edges) {
        String one = "gen.v_%s(gen.other(g, %%s, %d))".formatted(element.name, element.edges.size() + 1);
        String line = "ARRAY(SELECT %s FROM generate_series(1, 1 + gen.below(g, 'n', 4)) i)".formatted(one.formatted("'e' || i"));
        String lines = "ARRAY[ARRAY[%s, %s], ARRAY[%s, %s]]".formatted(Stream.of("'a'", "'b'", "'c'", "'d'").map(one::formatted).toArray());
        String generated = """
                CASE gen.below(g, 'shape', 8) WHEN 0 THEN %2$s
                WHEN 1 THEN ('[7:' || 6 + cardinality(%1$s) || ']=' || (%1$s)::text)::%3$s[]
                ELSE %1$s END""".formatted(line, lines, element.type);
        var array = of(element.name + "_array", element.type + "[]", generated, edges);
        TripTarget first = element.targets.getFirst();
        return array.with(first.array()).with(first.arrays()).with(element.targets.getLast().document()).with(TripTarget.text());
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

    String table() {
        return "CREATE TABLE %s (id int PRIMARY KEY, %s)".formatted(name, columns(i -> "v" + i + " " + type));
    }

    String fill(int values) {
        return """
                INSERT INTO %1$s SELECT g, %2$s FROM (SELECT g, gen.v_%1$s(g) AS v FROM generate_series(1, %3$d) g) made
                """.formatted(name, columns(_ -> "v"), values);
    }

    /** Every value once more, under another key. */
    String repeat(int values) {
        return "INSERT INTO %1$s SELECT id + %3$d, %2$s FROM %1$s".formatted(name, columns(i -> "v" + i), values);
    }

    String felderaTable() {
        return "CREATE TABLE %s (id INTEGER NOT NULL PRIMARY KEY, %s) WITH ('materialized' = 'true');\n"
                .formatted(name, columns(i -> "v" + i + " " + targets.get(i).feldera()));
    }

    /** Per value: key, text, and for every target what is expected there and whether something is lost. */
    String expectations(int values) {
        return """
                SELECT id, format('%%s', v), %s
                FROM (SELECT id, v0 AS v FROM public.%s WHERE id <= %d) made ORDER BY id
                """.formatted(
                        columns(this::expectation),
                        name,
                        values);
    }

    private String expectation(int target) {
        return "CASE WHEN v IS DISTINCT FROM NULL THEN (%s)::text END, v IS DISTINCT FROM NULL AND coalesce(%s, false)"
                .formatted(targets.get(target).expected(), targets.get(target).lost());
    }

    private interface ColumnText {
        String of(int target);
    }

    private String columns(ColumnText text) {
        return IntStream.range(0, targets.size()).mapToObj(text::of).collect(Collectors.joining(", "));
    }
}
