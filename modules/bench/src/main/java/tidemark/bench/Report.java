package tidemark.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** What the rounds of one workload come to: medians with their least and greatest, and ratios within each round. */
final class Report {
    /** Both contestants on the same backlog, one after the other. */
    record Round(Figures bare, Figures tidemark, NullFeldera.Taken taken) {
        double ratio() {
            return tidemark.rowsPerSecond() / bare.rowsPerSecond();
        }
    }

    /** Median with least and greatest. */
    record Spread(double median, double least, double greatest) {
        static Spread of(List<Double> values) {
            if (values.isEmpty()) throw new IllegalArgumentException("a median of nothing");
            List<Double> sorted = values.stream().sorted().toList();
            int middle = sorted.size() / 2;
            double median =
                    sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
            return new Spread(median, sorted.getFirst(), sorted.getLast());
        }

        /** @param format of each number, as {@link String#format} takes it */
        String text(String format) {
            return String.format(Locale.ROOT, format + " (" + format + "–" + format + ")", median, least, greatest);
        }
    }

    private final Workload workload;
    private final long rows;
    private final List<Round> rounds = new ArrayList<>();

    Report(Workload workload, long rows) {
        this.workload = workload;
        this.rows = rows;
    }

    void add(Round round) {
        rounds.add(round);
    }

    /** One line, for who waits for the rest. */
    static String line(int number, Round round) {
        return String.format(
                Locale.ROOT,
                "  round %d: tidemark %,.0f rows/s, bare %,.0f rows/s, ratio %.2f; Feldera took %,d POSTs, %,.1f MB",
                number,
                round.tidemark.rowsPerSecond(),
                round.bare.rowsPerSecond(),
                round.ratio(),
                round.taken.posts(),
                round.taken.bytes() / 1e6);
    }

    String text() {
        String ratio = Spread.of(rounds.stream().map(Round::ratio).toList()).text("%.2f");
        return workload.title(rows)
                + "%n".formatted()
                + row("", "rows/s", "ratio", "CPU-s/1M rows", "with start and stop", "peak RSS MiB")
                + row("tidemark", ratio, Round::tidemark)
                + row(workload.bareReader(), "1", Round::bare);
    }

    private String row(String who, String ratio, Function<Round, Figures> whose) {
        List<Figures> figures = rounds.stream().map(whose).toList();
        return row(
                who,
                spread(figures, Figures::rowsPerSecond).text("%,.0f"),
                ratio,
                spread(figures, Figures::cpuSecondsPerMillion).text("%.1f"),
                spread(figures, Figures::processCpuSecondsPerMillion).text("%.1f"),
                spread(figures, Figures::peakRssMib).text("%.0f"));
    }

    private static Spread spread(List<Figures> figures, ToDoubleFunction<Figures> of) {
        return Spread.of(figures.stream().map(of::applyAsDouble).toList());
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "  %-16s %-28s %-18s %-18s %-22s %s%n", cells);
    }
}
