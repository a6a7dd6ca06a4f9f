package tidemark.demo;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tidemark.decode.Lsn;

/**
 * Folds the statuses of all lives of the service into one picture: counters begin at zero with each life, the demo's do
 * not.
 *
 * <p>Times are {@link System#nanoTime()} of the caller. Owned by the main thread.
 */
final class Progress {
    private static final long RATE_WINDOW_NANOS = TimeUnit.SECONDS.toNanos(3);

    private record Sample(long nanos, long deliveredRows) {}

    private final Map<String, TidemarkStatus.Table> earlierLives = new LinkedHashMap<>();
    private final Deque<Sample> samples = new ArrayDeque<>();
    private List<TidemarkStatus.Table> thisLife = List.of();
    private Lsn confirmed = Lsn.ZERO;
    private Lsn walEnd = Lsn.ZERO;
    private String phase = "starting";
    private long deliveredInEarlierLives;
    private long lagBytes;
    private long longestLagBytes;
    private long peakRowsPerSecond;
    private int lives = 1;

    void observe(TidemarkStatus status, long nanos) {
        thisLife = status.tables();
        confirmed = Lsn.later(confirmed, status.confirmed());
        walEnd = Lsn.later(walEnd, status.walEnd());
        phase = status.waitingFor().isEmpty()
                ? status.phase()
                : status.phase() + ", waiting for " + status.waitingFor();
        lagBytes = status.lagBytes();
        longestLagBytes = Math.max(longestLagBytes, lagBytes);
        samples.addLast(new Sample(nanos, deliveredRows()));
        while (nanos - samples.getFirst().nanos() > RATE_WINDOW_NANOS) samples.removeFirst();
        peakRowsPerSecond = Math.max(peakRowsPerSecond, rowsPerSecond());
    }

    /** The service was killed and starts again. */
    void lifeEnded() {
        deliveredInEarlierLives = deliveredRows();
        for (TidemarkStatus.Table table : tables()) earlierLives.put(table.postgres(), table);
        thisLife = List.of();
        samples.clear();
        phase = "starting again";
        lives++;
    }

    Picture picture(Duration elapsed, Duration total) {
        return new Picture(
                elapsed,
                total,
                phase,
                rowsPerSecond(),
                deliveredRows(),
                lagBytes,
                longestLagBytes,
                confirmed,
                walEnd,
                lives,
                tables());
    }

    long peakRowsPerSecond() {
        return peakRowsPerSecond;
    }

    private long deliveredRows() {
        return deliveredInEarlierLives
                + thisLife.stream()
                        .mapToLong(TidemarkStatus.Table::deliveredRows)
                        .sum();
    }

    private List<TidemarkStatus.Table> tables() {
        Map<String, TidemarkStatus.Table> sums = new LinkedHashMap<>(earlierLives);
        for (TidemarkStatus.Table table : thisLife) {
            sums.merge(table.postgres(), table, (earlier, now) -> now.plus(earlier));
        }
        return List.copyOf(sums.values());
    }

    private long rowsPerSecond() {
        if (samples.size() < 2) return 0;
        Sample first = samples.getFirst();
        Sample last = samples.getLast();
        long nanos = Math.max(1, last.nanos() - first.nanos());
        return (last.deliveredRows() - first.deliveredRows()) * TimeUnit.SECONDS.toNanos(1) / nanos;
    }
}
