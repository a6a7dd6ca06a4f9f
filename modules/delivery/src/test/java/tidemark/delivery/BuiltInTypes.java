package tidemark.delivery;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The types that PostgreSQL has without any extension, by PostgreSQL's names. */
final class BuiltInTypes {
    /** Those that have a way of their own. */
    static final Map<PgType, String> NAMES = names();

    /** Those that go as their text. */
    static final List<String> AS_TEXT = List.of(
            "text",
            "\"char\"",
            "name",
            "xml",
            "interval",
            "inet",
            "cidr",
            "macaddr",
            "macaddr8",
            "bit",
            "bit varying",
            "point",
            "line",
            "lseg",
            "box",
            "path",
            "polygon",
            "circle",
            "tsvector",
            "tsquery",
            "gtsvector",
            "pg_lsn",
            "xid8",
            "tid",
            "txid_snapshot",
            "pg_snapshot",
            "jsonpath",
            "int2vector",
            "oidvector",
            "refcursor",
            "aclitem",
            "regclass",
            "regcollation",
            "regconfig",
            "regdictionary",
            "regnamespace",
            "regoper",
            "regoperator",
            "regproc",
            "regprocedure",
            "regrole",
            "regtype",
            "regdatabase",
            "pg_node_tree",
            "pg_ndistinct",
            "pg_dependencies",
            "pg_mcv_list",
            "pg_brin_bloom_summary",
            "pg_brin_minmax_multi_summary");

    private BuiltInTypes() {}

    private static Map<PgType, String> names() {
        Map<PgType, String> names = new EnumMap<>(PgType.class);
        for (PgType type : PgType.values()) {
            switch (type) {
                case BOOLEAN -> names.put(type, "boolean");
                case BYTEA -> names.put(type, "bytea");
                case INT8 -> names.put(type, "bigint");
                case INT2 -> names.put(type, "smallint");
                case INT4 -> names.put(type, "integer");
                case OID -> names.put(type, "oid");
                case XID -> names.put(type, "xid");
                case CID -> names.put(type, "cid");
                case JSON -> names.put(type, "json");
                case FLOAT4 -> names.put(type, "real");
                case FLOAT8 -> names.put(type, "double precision");
                case MONEY -> names.put(type, "money");
                case BPCHAR -> names.put(type, "character");
                case VARCHAR -> names.put(type, "character varying");
                case DATE -> names.put(type, "date");
                case TIME -> names.put(type, "time without time zone");
                case TIMESTAMP -> names.put(type, "timestamp without time zone");
                case TIMESTAMPTZ -> names.put(type, "timestamp with time zone");
                case TIMETZ -> names.put(type, "time with time zone");
                case NUMERIC -> names.put(type, "numeric");
                case UUID -> names.put(type, "uuid");
                case JSONB -> names.put(type, "jsonb");
                case HSTORE, OTHER -> {}
            }
        }
        return names;
    }
}
