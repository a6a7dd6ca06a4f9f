package tidemark.delivery;

/**
 * A Feldera column that the values of a {@link TypeTrip} go into, and what becomes of them there, as SQL of a value
 * {@code v} that is not NULL.
 *
 * @param feldera the column's type
 * @param expected the JSON that {@code /query} must answer; NULL for what the type cannot hold
 * @param lost whether the value, or a part of it, is one that the type cannot hold
 */
record TripTarget(String feldera, String expected, String lost, Likeness likeness) {
    private static final String LEVELS = "levels => ";
    /** Of a document in a VARIANT. */
    static final String FITTING = "CASE WHEN gen.fits_variant(v::text, %s0) THEN v END".formatted(LEVELS);
    /** Of an array in a VARIANT, as every value has its own dimensions. */
    private static final int MOST_DIMENSIONS = 6;

    static TripTarget of(String feldera, String expected, Likeness likeness) {
        return new TripTarget(feldera, expected, "(%s) IS NULL".formatted(expected), likeness);
    }

    /** What the output function prints; a cast to text would not do, as some types cast otherwise. */
    static TripTarget text() {
        return of("VARCHAR", "to_json(format('%s', v))", Likeness.EXACT);
    }

    /** With so many levels of JSON around it. */
    private TripTarget within(int levels) {
        return of(feldera, expected.replace(LEVELS + 0, LEVELS + levels), likeness);
    }

    /** An array of such values, of one dimension. */
    TripTarget array() {
        return within(1).inOne();
    }

    /** Of two; an empty one has none and goes anywhere. */
    TripTarget arrays() {
        return within(2).inTwo();
    }

    /** An array of one or two in a VARIANT, which this is for its elements. */
    TripTarget document() {
        return within(MOST_DIMENSIONS).inVariant();
    }

    private TripTarget inOne() {
        return new TripTarget(
                feldera + " ARRAY",
                "CASE WHEN array_ndims(v) > 1 THEN NULL ELSE %s END".formatted(line()),
                "array_ndims(v) > 1 OR " + anyLost(),
                likeness);
    }

    private TripTarget inTwo() {
        return new TripTarget(
                feldera + " ARRAY ARRAY",
                "CASE WHEN cardinality(v) = 0 THEN '[]' WHEN array_ndims(v) = 2 THEN %s END".formatted(lines()),
                "array_ndims(v) <> 2 OR " + anyLost(),
                likeness);
    }

    private TripTarget inVariant() {
        return new TripTarget(
                feldera,
                "CASE WHEN array_ndims(v) = 2 THEN %s ELSE %s END".formatted(lines(), line()),
                anyLost(),
                likeness);
    }

    /** The same in another type. */
    TripTarget in(String another) {
        return new TripTarget(another, expected, lost, likeness);
    }

    private String anyLost() {
        return "EXISTS (SELECT FROM (SELECT unnest(v) AS v) parts WHERE v IS DISTINCT FROM NULL AND (%s))"
                .formatted(lost);
    }

    private String line() {
        return """
                (SELECT coalesce(json_agg(%s ORDER BY i), '[]')
                FROM (SELECT i, a[i] AS v FROM (SELECT v AS a) whole, generate_subscripts(a, 1) i) parts)
                """.formatted(orNull());
    }

    private String lines() {
        return """
                (SELECT json_agg(line ORDER BY i) FROM (
                    SELECT i, (SELECT json_agg(%s ORDER BY j)
                        FROM (SELECT j, a[i][j] AS v FROM generate_subscripts(a, 2) j) parts) AS line
                    FROM (SELECT v AS a) whole, generate_subscripts(a, 1) i) lines)
                """.formatted(orNull());
    }

    private String orNull() {
        return "CASE WHEN v IS DISTINCT FROM NULL THEN (%s)::text::json END".formatted(expected);
    }
}
