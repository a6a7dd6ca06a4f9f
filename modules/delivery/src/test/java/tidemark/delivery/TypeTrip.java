package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A PostgreSQL type of the round trip: how PostgreSQL makes its values, and which Feldera types they go into. A table
 * of the type's name has the value once for every target, in the columns {@code v0}, {@code v1}, …
 *
 * @param name of the table at both ends
 * @param type as PostgreSQL declares it
 * @param edges SQL of the values that the type's first rows have; the first of all is NULL
 * @param generated SQL of a value of the type from a number {@code g}
 */
record TypeTrip(String name, String type, List<String> edges, String generated, List<Target> targets) {
    /**
     * @param feldera the column's type there
     * @param expected SQL that makes, of a value {@code v} that is not NULL, the JSON that {@code /query} must answer;
     *     NULL for what the type cannot hold
     */
    record Target(String feldera, String expected, Likeness likeness) {}

    /** One value in so many is NULL. */
    private static final int NULLS = 25;

    static TypeTrip of(String name, String type, String generated, String... edges) {
        return new TypeTrip(name, type, List.of(edges), generated, List.of());
    }

    TypeTrip into(String feldera, String expected, Likeness likeness) {
        List<Target> more = new ArrayList<>(targets);
        more.add(new Target(feldera, expected, likeness));
        return new TypeTrip(name, type, edges, generated, List.copyOf(more));
    }

    TypeTrip into(String feldera, String expected) {
        return into(feldera, expected, Likeness.EXACT);
    }

    /** What the type's output function prints; a cast to text would not do, as some types cast otherwise. */
    TypeTrip intoText() {
        return into("VARCHAR", "to_json(format('%s', v))");
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

    /** Per value: key, whether it is NULL, its text, and what is expected of every target. */
    String expectations(int values) {
        return """
                SELECT id, v IS NOT DISTINCT FROM NULL, format('%%s', v), %s
                FROM (SELECT id, v0 AS v FROM public.%s WHERE id <= %d) made ORDER BY id
                """.formatted(
                        columns(i -> "CASE WHEN v IS DISTINCT FROM NULL THEN (%s)::text END"
                                .formatted(targets.get(i).expected())),
                        name,
                        values);
    }

    private interface ColumnText {
        String of(int target);
    }

    private String columns(ColumnText text) {
        return IntStream.range(0, targets.size()).mapToObj(text::of).collect(Collectors.joining(", "));
    }
}
