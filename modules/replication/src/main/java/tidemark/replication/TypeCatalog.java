package tidemark.replication;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The types that were asked for, and all that they are made of, as the catalog showed them. Immutable. */
final class TypeCatalog {
    /**
     * One row per type, or per field of a composite type. A type is an array if it prints as one, which int2vector does
     * not, and is no domain, which prints as its base does. The delimiter is the element type's (array_out).
     */
    private static final String TYPES = """
            WITH RECURSIVE reached (oid) AS (
                SELECT unnest(CAST(? AS bigint[]))::oid
                UNION
                SELECT part.oid
                FROM reached
                JOIN pg_catalog.pg_type t ON t.oid = reached.oid
                CROSS JOIN LATERAL (
                    SELECT t.typbasetype WHERE t.typtype = 'd'
                    UNION ALL
                    SELECT t.typelem WHERE t.typtype = 'b' AND t.typoutput = 'pg_catalog.array_out'::regproc
                    UNION ALL
                    SELECT a.atttypid FROM pg_catalog.pg_attribute a
                    WHERE t.typtype = 'c' AND a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped) part (oid))
            SELECT t.oid::bigint AS oid, format_type(t.oid, NULL) AS name, t.typname,
                   CASE WHEN t.typtype = 'b' AND t.typoutput = 'pg_catalog.array_out'::regproc THEN 'a' ELSE t.typtype END AS kind,
                   t.typbasetype::bigint AS base, t.typtypmod, t.typnotnull,
                   t.typelem::bigint AS element, element.typdelim AS delimiter,
                   coalesce((SELECT e.extname FROM pg_catalog.pg_depend d
                             JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
                             WHERE d.classid = 'pg_catalog.pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
                               AND d.refclassid = 'pg_catalog.pg_extension'::regclass), '') AS extension,
                   NOT EXISTS (SELECT FROM pg_catalog.pg_attribute gone
                               WHERE t.typtype = 'c' AND gone.attrelid = t.typrelid AND gone.attnum > 0
                                 AND gone.attisdropped) AS whole,
                   field.attname AS field, field.atttypid::bigint AS field_type, field.atttypmod AS field_modifier
            FROM reached
            JOIN pg_catalog.pg_type t ON t.oid = reached.oid
            LEFT JOIN pg_catalog.pg_type element ON element.oid = t.typelem
            LEFT JOIN pg_catalog.pg_attribute field ON t.typtype = 'c' AND field.attrelid = t.typrelid
                AND field.attnum > 0 AND NOT field.attisdropped
            ORDER BY t.oid, field.attnum""";

    /** What pg_type says of one type, and pg_attribute of its fields. */
    private record Row(
            String name,
            char kind,
            int base,
            int baseModifier,
            boolean notNull,
            int element,
            char delimiter,
            String extension,
            boolean whole,
            List<Field> fields) {}

    private record Field(String name, int type, int modifier) {}

    private final Map<Integer, Row> rows;

    private TypeCatalog(Map<Integer, Row> rows) {
        this.rows = Map.copyOf(rows);
    }

    static TypeCatalog empty() {
        return new TypeCatalog(Map.of());
    }

    static TypeCatalog read(Connection connection, Collection<Integer> oids) throws SQLException {
        Map<Integer, Row> rows = new HashMap<>();
        Long[] wanted = oids.stream().map(Integer::toUnsignedLong).toArray(Long[]::new);
        try (PreparedStatement query = connection.prepareStatement(TYPES)) {
            query.setArray(1, connection.createArrayOf("int8", wanted));
            try (ResultSet answer = query.executeQuery()) {
                while (answer.next()) read(answer, rows);
            }
        }
        return new TypeCatalog(rows);
    }

    /** This and the other; what both have is the other's. */
    TypeCatalog with(TypeCatalog newer) {
        Map<Integer, Row> all = new HashMap<>(rows);
        all.putAll(newer.rows);
        return new TypeCatalog(all);
    }

    private static void read(ResultSet answer, Map<Integer, Row> rows) throws SQLException {
        int oid = (int) answer.getLong("oid");
        if (!rows.containsKey(oid)) rows.put(oid, row(answer));
        String field = answer.getString("field");
        if (field == null) return;
        rows.get(oid)
                .fields()
                .add(new Field(field, (int) answer.getLong("field_type"), answer.getInt("field_modifier")));
    }

    private static Row row(ResultSet answer) throws SQLException {
        String delimiter = answer.getString("delimiter");
        String extension = answer.getString("extension");
        return new Row(
                // An extension's type goes by its own name, wherever the extension was put.
                answer.getString(extension.isEmpty() ? "name" : "typname"),
                answer.getString("kind").charAt(0),
                (int) answer.getLong("base"),
                answer.getInt("typtypmod"),
                answer.getBoolean("typnotnull"),
                (int) answer.getLong("element"),
                delimiter == null ? ',' : delimiter.charAt(0),
                extension,
                answer.getBoolean("whole"),
                new ArrayList<>());
    }

    boolean has(int oid) {
        return rows.containsKey(oid);
    }

    /** @param modifier of the column or field that has the type; -1 for none */
    TypeShape shape(int oid, int modifier) {
        Row row = rows.get(oid);
        if (row == null) return new TypeShape.Unknown(oid);
        return switch (row.kind()) {
            case 'a' -> new TypeShape.Array(row.name(), shape(row.element(), modifier), row.delimiter());
            case 'c' -> new TypeShape.Composite(row.name(), fields(row), row.whole());
            case 'd' -> domain(row, modifier);
            case 'e' -> new TypeShape.Enumeration(row.name());
            case 'r', 'm' -> new TypeShape.Range(row.name());
            default -> new TypeShape.Scalar(oid, row.name(), modifier, row.extension());
        };
    }

    private TypeShape domain(Row row, int modifier) {
        TypeShape base = shape(row.base(), modifier == -1 ? row.baseModifier() : modifier);
        boolean notNull = row.notNull() || (base instanceof TypeShape.Domain beneath && beneath.notNull());
        return new TypeShape.Domain(row.name(), base, notNull);
    }

    private List<TypeShape.Field> fields(Row row) {
        return row.fields().stream()
                .map(field -> new TypeShape.Field(field.name(), shape(field.type(), field.modifier())))
                .toList();
    }
}
