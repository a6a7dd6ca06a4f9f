package tidemark.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Shows pictures: on a terminal as one block that is drawn over in place, elsewhere as a plain line every few seconds.
 *
 * <p>What is shown is a pure function of the picture ({@link #block}, {@link #line}). Owned by the main thread.
 */
final class View {
    private static final Duration PLAIN_INTERVAL = Duration.ofSeconds(3);
    private static final int BAR_CELLS = 20;
    /** Fits the narrowest usual terminal: a wrapped line would break drawing in place. */
    static final int WIDTH = 79;

    private final PrintStream out;
    private final boolean terminal;
    private List<String> drawn = List.of();
    private Duration nextPlain = Duration.ZERO;

    View(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void show(Picture picture) {
        if (terminal) {
            erase();
            drawn = block(picture);
            drawn.forEach(out::println);
            out.flush();
        } else if (picture.elapsed().compareTo(nextPlain) >= 0) {
            out.println(line(picture));
            nextPlain = picture.elapsed().plus(PLAIN_INTERVAL);
        }
    }

    /** An event, kept on the screen above the block. */
    void say(String event) {
        erase();
        out.println(event);
        drawn.forEach(out::println);
        out.flush();
    }

    /** Whatever is said from here on comes below the block as it is. */
    void leave() {
        drawn = List.of();
    }

    private void erase() {
        if (!drawn.isEmpty()) out.print("\u001B[%dA\u001B[J".formatted(drawn.size()));
    }

    static String line(Picture picture) {
        String tables = picture.tables().stream()
                .map(table -> table.isStreaming()
                        ? "%s %,d".formatted(shortName(table), table.deliveredRows())
                        : "%s %s %s".formatted(shortName(table), table.state(), copied(table)))
                .collect(Collectors.joining(", "));
        return "%3d s  %s  %,d rows/s  lag %s  confirmed %s  %s"
                .formatted(
                        picture.elapsed().toSeconds(),
                        picture.phase(),
                        picture.rowsPerSecond(),
                        bytes(picture.lagBytes()),
                        picture.confirmed(),
                        tables);
    }

    /** Lines of at most {@value #WIDTH} characters. */
    static List<String> block(Picture picture) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(fit("  %s of %s   service %s   life %d"
                .formatted(clock(picture.elapsed()), clock(picture.total()), picture.phase(), picture.lives())));
        lines.add(fit("  PostgreSQL %-12s  lag %-9s (longest %s)"
                .formatted(picture.walEnd(), bytes(picture.lagBytes()), bytes(picture.longestLagBytes()))));
        lines.add(fit("  confirmed  %-12s  %,d rows/s, %,d delivered"
                .formatted(picture.confirmed(), picture.rowsPerSecond(), picture.deliveredRows())));
        for (TidemarkStatus.Table table : picture.tables()) {
            lines.add(fit("  %-14.14s %s %s"
                    .formatted(
                            shortName(table),
                            bar(table),
                            table.isStreaming()
                                    ? "+%,d ~%,d -%,d".formatted(table.inserts(), table.updates(), table.deletes())
                                    : table.state() + " " + copied(table))));
        }
        return lines;
    }

    private static String bar(TidemarkStatus.Table table) {
        int full = table.isWhole() ? BAR_CELLS : table.isCopying() ? cells(table) : 0;
        return "[" + "#".repeat(full) + ".".repeat(BAR_CELLS - full) + "]";
    }

    private static int cells(TidemarkStatus.Table table) {
        return (int) Math.min(BAR_CELLS, table.copiedRows() * BAR_CELLS / Math.max(1, table.estimatedRows()));
    }

    private static String copied(TidemarkStatus.Table table) {
        return table.isCopying() && table.estimatedRows() > 0
                ? "%,d of about %,d".formatted(table.copiedRows(), table.estimatedRows())
                : "%,d".formatted(table.copiedRows());
    }

    /** Without the schema, which is public in all but a given database. */
    private static String shortName(TidemarkStatus.Table table) {
        return table.postgres().startsWith("public.")
                ? table.postgres().substring("public.".length())
                : table.postgres();
    }

    private static String clock(Duration time) {
        return "%02d:%02d".formatted(time.toMinutes(), time.toSecondsPart());
    }

    static String bytes(long bytes) {
        if (bytes < 1024) return bytes + " B";
        if (bytes < 1024 * 1024) return "%.1f kB".formatted(bytes / 1024.0);
        return "%.1f MB".formatted(bytes / (1024.0 * 1024.0));
    }

    private static String fit(String line) {
        return line.length() <= WIDTH ? line : line.substring(0, WIDTH - 1) + "…";
    }
}
