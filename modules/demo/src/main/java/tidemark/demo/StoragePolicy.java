package tidemark.demo;

import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What a PostgreSQL value has to be once it is stored in a Feldera column. */
sealed interface StoragePolicy {
    UnaryOperator<Cell> of(Pipeline.Column column, ValueKind kind);

    /** Whether digits may be cut on the way, so that a proof says nothing about them. */
    boolean cuts(SourceDatabase.Column from, Pipeline.Column to);

    /** The service's own: digits beyond a DECIMAL's scale are cut, what Feldera has no form for is null. */
    record Stated() implements StoragePolicy {
        @Override
        public UnaryOperator<Cell> of(Pipeline.Column column, ValueKind kind) {
            return isDecimal(column) ? bounds(column)::asStored : UnaryOperator.identity();
        }

        @Override
        public boolean cuts(SourceDatabase.Column from, Pipeline.Column to) {
            return isDecimal(to) && !bounds(to).keepsDigitsOf(from.type());
        }

        private static boolean isDecimal(Pipeline.Column column) {
            return column.type().equals("DECIMAL");
        }

        private static DecimalBounds bounds(Pipeline.Column column) {
            return new DecimalBounds(column.precision(), column.scale());
        }
    }

    /**
     * The same value to the last digit; null only for what is tolerated.
     *
     * @param tolerated by Feldera column; {@code *} for every column
     */
    record Exact(Map<String, Set<Tolerance>> tolerated) implements StoragePolicy {
        /** Equals nothing that Feldera could answer. */
        private static final Cell NOT_TOLERATED = new Cell.Value("a value that Feldera cannot hold");

        @Override
        public UnaryOperator<Cell> of(Pipeline.Column column, ValueKind kind) {
            boolean nullable = Tolerance.of(kind)
                    .filter(tolerance -> isTolerated(tolerance, column.name()))
                    .isPresent();
            return cell -> cell instanceof Cell.Unrepresentable && !nullable ? NOT_TOLERATED : cell;
        }

        @Override
        public boolean cuts(SourceDatabase.Column from, Pipeline.Column to) {
            return false;
        }

        private boolean isTolerated(Tolerance tolerance, String column) {
            return tolerated.getOrDefault(column, Set.of()).contains(tolerance)
                    || tolerated.getOrDefault("*", Set.of()).contains(tolerance);
        }
    }
}
