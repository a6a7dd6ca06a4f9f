package tidemark.replication;

import tidemark.replication.TableShape.Column;

/**
 * One column that a copy is sorted by, ascending, NULLs last.
 *
 * @param position in the table's shape
 */
public record SortColumn(int position, Order order) {
    private static final int TEXT = 25;
    private static final int VARCHAR = 1043;

    /** What is compared. */
    public enum Order {
        /** Values, as their type compares them. */
        VALUE,
        /** The bytes of what a copy prints for them, whatever their type and collation. */
        TEXT
    }

    /** The expression after ORDER BY. */
    String expression(TableShape table) {
        Column column = table.columns().get(position);
        String name = SqlText.identifier(column.name());
        return switch (order) {
            case VALUE -> name;
            case TEXT -> isText(column) ? name + " COLLATE \"C\"" : printed(name) + " COLLATE \"C\"";
        };
    }

    private static boolean isText(Column column) {
        return column.type().belowDomains() instanceof TypeShape.Scalar scalar
                && (scalar.oid() == TEXT || scalar.oid() == VARCHAR);
    }

    /**
     * By the type's output function, as COPY does. A cast to text is not the same: it cuts the blanks of {@code char},
     * writes {@code true} for {@code t} and gives an {@code inet} its netmask.
     */
    private static String printed(String name) {
        return "CASE WHEN %1$s IS NOT NULL THEN pg_catalog.concat(%1$s) END".formatted(name);
    }
}
