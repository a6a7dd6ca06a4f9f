package tidemark.delivery;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import tidemark.replication.TypeShape;

/**
 * The PostgreSQL types without parts, by how their values go to Feldera. The oids are fixed in pg_type.dat. What is not
 * here, and everything of {@link #OTHER}, goes as its text or not at all.
 *
 * @see ColumnEncoding
 */
enum PgType {
    BOOLEAN(16),
    BYTEA(17),
    INT8(20, Long.MIN_VALUE, Long.MAX_VALUE),
    INT2(21, Short.MIN_VALUE, Short.MAX_VALUE),
    INT4(23, Integer.MIN_VALUE, Integer.MAX_VALUE),
    OID(26, 0, 0xFFFF_FFFFL),
    XID(28, 0, 0xFFFF_FFFFL),
    CID(29, 0, 0xFFFF_FFFFL),
    JSON(114),
    FLOAT4(700),
    FLOAT8(701),
    MONEY(790),
    BPCHAR(1042),
    VARCHAR(1043),
    DATE(1082),
    TIME(1083),
    TIMESTAMP(1114),
    TIMESTAMPTZ(1184),
    TIMETZ(1266),
    NUMERIC(1700),
    UUID(2950),
    JSONB(3802),
    /** Of the extension of that name, whatever its oid. */
    HSTORE(0),
    /** text, name, interval, enums, ranges, and whatever else PostgreSQL can print. */
    OTHER(0);

    /** PostgreSQL's own objects have smaller ones (access/transam.h). */
    private static final int FIRST_NORMAL_OID = 16384;

    private static final Map<Integer, PgType> BY_OID = Arrays.stream(values())
            .filter(type -> type.oid != 0)
            .collect(Collectors.toUnmodifiableMap(type -> type.oid, Function.identity()));

    private final int oid;
    private final long smallest;
    private final long largest;

    /** Of a type that PostgreSQL comes with, which nobody alters. */
    static boolean isBuiltIn(int oid) {
        return Integer.compareUnsigned(oid, FIRST_NORMAL_OID) < 0;
    }

    PgType(int oid) {
        this(oid, 0, 0);
    }

    PgType(int oid, long smallest, long largest) {
        this.oid = oid;
        this.smallest = smallest;
        this.largest = largest;
    }

    static PgType of(TypeShape.Scalar scalar) {
        if (scalar.extension().equals("hstore") && scalar.name().equals("hstore")) return HSTORE;
        return BY_OID.getOrDefault(scalar.oid(), OTHER);
    }

    /** As pg_type has it; 0 where that is no fixed one. */
    int oid() {
        return oid;
    }

    boolean isInteger() {
        return largest > 0;
    }

    boolean isFloat() {
        return this == FLOAT4 || this == FLOAT8;
    }

    boolean isNumber() {
        return isInteger() || isFloat() || this == NUMERIC;
    }

    boolean isJson() {
        return this == JSON || this == JSONB;
    }

    /** Of an integer type. */
    long smallest() {
        return smallest;
    }

    /** Of an integer type. */
    long largest() {
        return largest;
    }
}
