package tidemark.delivery;

/**
 * Writes the JSON of one non-null value of one PostgreSQL type for one Feldera type, from PostgreSQL's own text. Chosen
 * once per relation by {@link ColumnEncoding}; text that needs no change is copied, never parsed and printed again.
 *
 * <p>What it cannot write it leaves half-written: the row is rolled back by {@link RowEncoder}, which knows names. One
 * whose values have parts keeps them in a buffer of its own: owned by the thread that encodes.
 */
sealed interface ValueEncoder
        permits ArrayValue,
                BooleanValue,
                BytesValue,
                DateValue,
                DecimalValue,
                FloatDecimalValue,
                FloatValue,
                IntegerValue,
                JsonNumberValue,
                JsonValue,
                MapValue,
                MoneyValue,
                RowValue,
                TextValue,
                TimeValue,
                TimestampValue,
                WholeNumericValue {
    /** What became of a value. */
    enum Fit {
        WRITTEN,
        /**
         * Written, with null for an element or field that Feldera's type has no value for:
         * {@code values.unrepresentable} decides whether it may stay.
         */
        PARTLY,
        /** Feldera's type has no such value: {@code values.unrepresentable} decides. */
        UNREPRESENTABLE,
        /** It has not the fields that the catalog showed of its type: asked again, the catalog may show them. */
        OUTDATED,
        /** Sending null for it would hide a wrong type or a wrong setting: always refused. */
        REFUSED;

        /** Whether what was written may stay, as far as its type goes. */
        boolean isWritten() {
            return this == WRITTEN || this == PARTLY;
        }
    }

    Fit write(byte[] text, int start, int length, RowBytes out);

    /** Which values it does not write and why, in words, without a value; empty if it writes all. */
    String limit();
}
