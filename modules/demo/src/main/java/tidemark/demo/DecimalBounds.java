package tidemark.demo;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * What becomes of a numeric in a DECIMAL column, by the stated value policy: digits beyond the scale are cut, and a
 * value with too many digits before the point is unrepresentable.
 *
 * @param precision all digits, {@code scale} of them after the point
 */
record DecimalBounds(int precision, int scale) {
    Cell asStored(Cell cell) {
        return cell instanceof Cell.Value(String canonical) ? asStored(new BigDecimal(canonical)) : cell;
    }

    private Cell asStored(BigDecimal value) {
        if (value.precision() - value.scale() > precision - scale && value.signum() != 0) {
            return new Cell.Unrepresentable();
        }
        BigDecimal cut = value.scale() > scale ? value.setScale(scale, RoundingMode.DOWN) : value;
        return new Cell.Value(cut.stripTrailingZeros().toPlainString());
    }

    /** Whether every value of the PostgreSQL type arrives with all of its digits after the point. */
    boolean keepsDigitsOf(String postgresType) {
        if (!postgresType.startsWith("numeric"))
            return !postgresType.startsWith("double") && !postgresType.equals("real");
        int comma = postgresType.indexOf(',');
        return comma > 0 && Integer.parseInt(postgresType.substring(comma + 1, postgresType.length() - 1)) <= scale;
    }
}
