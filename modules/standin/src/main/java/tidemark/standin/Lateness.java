package tidemark.standin;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One column's LATENESS: rows that are older than the newest value of earlier steps by more than the allowance are
 * dropped, and nobody is told (feldera.md 10.24). The waterline moves between steps only. Numbers for numeric columns,
 * seconds for timestamps, days for dates. Written by the circuit.
 */
final class Lateness {
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(?:\\.\\d+)?");
    private static final Pattern INTERVAL = Pattern.compile("(?i)INTERVAL\\s+'?(\\d+)'?\\s+(SECOND|MINUTE|HOUR|DAY)S?");

    private final int position;
    private final SqlType type;
    private final BigDecimal allowance;
    private Optional<BigDecimal> waterline = Optional.empty();
    private Optional<BigDecimal> newest = Optional.empty();

    private Lateness(int position, SqlType type, BigDecimal allowance) {
        this.position = position;
        this.type = type;
        this.allowance = allowance;
    }

    static List<Lateness> of(TableDefinition table, RowLayout layout) {
        return table.columns().stream()
                .filter(column -> column.lateness().isPresent())
                .map(column -> new Lateness(
                        layout.positionOf(table.columns().indexOf(column)),
                        column.type().type(),
                        allowance(column.lateness().get(), column.type().type()).orElseThrow()))
                .toList();
    }

    /** The expression's value; empty when the stand-in cannot tell, or when it does not fit the column's type. */
    static Optional<BigDecimal> allowance(String expression, SqlType type) {
        Matcher interval = INTERVAL.matcher(expression.strip());
        boolean timed = type instanceof SqlType.Timestamp || type instanceof SqlType.TimestampTz;
        if (interval.matches() && (timed || type instanceof SqlType.Date)) {
            BigDecimal seconds =
                    new BigDecimal(interval.group(1)).multiply(BigDecimal.valueOf(unit(interval.group(2))));
            return Optional.of(timed ? seconds : seconds.divideToIntegralValue(BigDecimal.valueOf(unit("DAY"))));
        }
        boolean numeric = type instanceof SqlType.Width
                || type instanceof SqlType.Decimal
                || type instanceof SqlType.Real
                || type instanceof SqlType.DoublePrecision;
        return numeric && NUMBER.matcher(expression.strip()).matches()
                ? Optional.of(new BigDecimal(expression.strip()))
                : Optional.empty();
    }

    private static long unit(String name) {
        return switch (name.charAt(0)) {
            case 'S', 's' -> 1;
            case 'M', 'm' -> 60;
            case 'H', 'h' -> 3600;
            default -> 86_400;
        };
    }

    boolean isLate(StoredRow row, int[] bounds) {
        return waterline.isPresent()
                && value(row, bounds)
                        .filter(value -> value.compareTo(waterline.get()) < 0)
                        .isPresent();
    }

    void seen(StoredRow row, int[] bounds) {
        value(row, bounds)
                .ifPresent(value -> newest = Optional.of(newest.map(value::max).orElse(value)));
    }

    void stepEnds() {
        waterline = newest.map(value -> value.subtract(allowance));
    }

    private Optional<BigDecimal> value(StoredRow row, int[] bounds) {
        return switch (SortValue.of(type, row.text(), bounds[position], bounds[position + 1] - 1)) {
            case SortValue.Exact(BigDecimal number) -> Optional.of(number);
            case SortValue.Whole(long number) -> Optional.of(BigDecimal.valueOf(number));
            case SortValue.Floating(double number) -> Optional.of(new BigDecimal(number));
            case SortValue.Null _, SortValue.Text _ -> Optional.empty();
        };
    }

    Lateness copy() {
        var copy = new Lateness(position, type, allowance);
        copy.waterline = waterline;
        copy.newest = newest;
        return copy;
    }
}
