package tidemark.standin;

import java.util.List;
import java.util.OptionalInt;

/** The types that a column of a Feldera table can have (feldera.md 5.2, 6), with what each needs to be checked. */
sealed interface SqlType {
    record Bool() implements SqlType {}

    enum Width implements SqlType {
        TINYINT(Byte.MIN_VALUE, Byte.MAX_VALUE, "i8"),
        SMALLINT(Short.MIN_VALUE, Short.MAX_VALUE, "i16"),
        INTEGER(Integer.MIN_VALUE, Integer.MAX_VALUE, "i32"),
        BIGINT(Long.MIN_VALUE, Long.MAX_VALUE, "i64");

        final long least;
        final long greatest;
        final String rust;

        Width(long least, long greatest, String rust) {
            this.least = least;
            this.greatest = greatest;
            this.rust = rust;
        }
    }

    record Decimal(int precision, int scale) implements SqlType {}

    record Real() implements SqlType {}

    record DoublePrecision() implements SqlType {}

    /** @param length declared, and not enforced by Feldera */
    record Characters(boolean fixed, OptionalInt length) implements SqlType {}

    /** @param length declared, and not enforced by Feldera */
    record Binary(boolean fixed, OptionalInt length) implements SqlType {}

    record Date() implements SqlType {}

    record Time() implements SqlType {}

    record Timestamp() implements SqlType {}

    record TimestampTz() implements SqlType {}

    record Uuid() implements SqlType {}

    record Variant() implements SqlType {}

    record Array(Nullable element) implements SqlType {}

    record Mapping(Nullable key, Nullable value) implements SqlType {}

    record Row(List<Field> fields) implements SqlType {}

    record Nullable(SqlType type, boolean nullable) {}

    record Field(SqlName name, Nullable type) {}

    /** The type's string in {@code program_info.schema}. */
    default String schemaName() {
        return switch (this) {
            case Bool _ -> "BOOLEAN";
            case Width width -> width.name();
            case Decimal _ -> "DECIMAL";
            case Real _ -> "REAL";
            case DoublePrecision _ -> "DOUBLE";
            case Characters characters -> characters.fixed() ? "CHAR" : "VARCHAR";
            case Binary binary -> binary.fixed() ? "BINARY" : "VARBINARY";
            case Date _ -> "DATE";
            case Time _ -> "TIME";
            case Timestamp _ -> "TIMESTAMP";
            case TimestampTz _ -> "TIMESTAMP_TZ";
            case Uuid _ -> "UUID";
            case Variant _ -> "VARIANT";
            case Array _ -> "ARRAY";
            case Mapping _ -> "MAP";
            case Row _ -> "STRUCT";
        };
    }
}
