package tidemark.delivery;

/**
 * Writes the JSON of one non-null value of one PostgreSQL type for one Feldera type, from PostgreSQL's own text. Chosen
 * once per relation by {@link ColumnEncoding}; text that needs no change is copied, never parsed and printed again.
 *
 * <p>What it cannot write it leaves half-written: the row is rolled back by {@link RowEncoder}, which knows names.
 */
sealed interface ValueEncoder
        permits BooleanValue,
                BytesValue,
                DateValue,
                DecimalValue,
                FloatDecimalValue,
                FloatValue,
                IntegerValue,
                JsonValue,
                TextValue,
                TimeValue,
                TimestampValue {
    /** What became of a value. */
    enum Fit {
        WRITTEN,
        /** Feldera's type has no such value: {@code values.unrepresentable} decides. */
        UNREPRESENTABLE,
        /** Sending null for it would hide a wrong type or a wrong setting: always refused. */
        REFUSED
    }

    Fit write(byte[] text, int start, int length, RowBytes out);

    /** Which values it does not write and why, in words, without a value. */
    String limit();
}
