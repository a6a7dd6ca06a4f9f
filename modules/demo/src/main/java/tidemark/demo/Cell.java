package tidemark.demo;

/** One value of one row, in the form in which both sides are held against each other. */
sealed interface Cell {
    record Null() implements Cell {}

    /**
     * A PostgreSQL value that Feldera has no form for (NaN, infinity, a year past 9999): the stated policy
     * ({@code values.unrepresentable=null}) puts null in its place.
     */
    record Unrepresentable() implements Cell {}

    /** @param canonical equal exactly when the values are */
    record Value(String canonical) implements Cell {}

    /** Whether Feldera's cell is what this one, PostgreSQL's, should have become. */
    default boolean isMirroredBy(Cell feldera) {
        return switch (this) {
            case Null _, Unrepresentable _ -> feldera instanceof Null;
            case Value _ -> equals(feldera);
        };
    }

    /** For a message about a key; keys are never null. */
    default String asKey() {
        return switch (this) {
            case Null _ -> "null";
            case Unrepresentable _ -> "unrepresentable";
            case Value(String canonical) -> canonical;
        };
    }
}
