package tidemark.delivery;

import java.util.Arrays;
import java.util.Optional;
import tidemark.sink.FelderaTable.ColumnType;

/**
 * How the values of one Feldera type are compared: brought into bytes that are the same exactly when the values are,
 * and, where the type can be a key, sort as both ends sort them. Computed alike from what we send and from what
 * {@code /query} answers (feldera.md 4 and 5.2), so that every spelling of a value meets: 1.0 and 1.00, a {@code T} and
 * a blank, an array of bytes and hexadecimal digits. NULL sorts last, as at both ends.
 *
 * <p>Stateless; chosen once per table.
 */
sealed interface ComparableForm
        permits BooleanForm, BytesForm, DecimalForm, FloatForm, MomentForm, NestedForm, TextForm, VariantForm {
    /** Which of the two wordings of a value is read; they differ where a type says so. */
    enum Wording {
        /** As {@link RowEncoder} writes it. */
        INGRESS,
        /** As {@code /query?format=json} answers. */
        ANSWER
    }

    int PRESENT = 1;
    int NULL = 2;

    /** Empty for a type whose values have no mapping either. */
    static Optional<ComparableForm> of(ColumnType type) {
        return switch (type.type()) {
            case "BOOLEAN" -> Optional.of(new BooleanForm());
            case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT" ->
                Optional.of(new DecimalForm(0));
            case "DECIMAL" ->
                Optional.of(new DecimalForm(Math.toIntExact(type.scale().orElse(0L))));
            case "REAL" -> Optional.of(new FloatForm(true));
            case "DOUBLE" -> Optional.of(new FloatForm(false));
            case "CHAR", "VARCHAR", "UUID", "DATE" -> Optional.of(new TextForm());
            case "TIME", "TIMESTAMP", "TIMESTAMP_TZ" -> Optional.of(new MomentForm());
            case "BINARY", "VARBINARY" -> Optional.of(new BytesForm());
            case "VARIANT" -> Optional.of(new VariantForm());
            case "ARRAY", "MAP", "STRUCT" -> NestedForm.of(type.parts());
            default -> Optional.empty();
        };
    }

    /** Takes one value, which may be null, and puts its bytes. */
    default void put(JsonCursor in, Wording wording, ComparableBytes out) {
        if (in.takeNull()) {
            out.put(NULL);
            return;
        }
        out.put(PRESENT);
        putValue(in, wording, out);
    }

    /** Takes one value that is not null. */
    void putValue(JsonCursor in, Wording wording, ComparableBytes out);

    /** Whether both ends sort by this type, and as its bytes do. */
    boolean isSortable();

    default boolean isSame(ComparedRow a, ComparedRow b, int position) {
        return isSame(a.bytes(), a.start(position), a.end(position), b.bytes(), b.start(position), b.end(position));
    }

    /** Whether two values that {@link #put} wrote are one value, as far as Feldera can keep it. */
    default boolean isSame(byte[] a, int aStart, int aEnd, byte[] b, int bStart, int bEnd) {
        return Arrays.equals(a, aStart, aEnd, b, bStart, bEnd);
    }
}
