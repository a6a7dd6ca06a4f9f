package tidemark.bench;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;

/**
 * Commits rows one by one at an even pace and measures, for each, the time from the return of its commit until the
 * connector was told that Feldera completed it. All clocks are this process's: the writer's, and that of the Feldera
 * that only counts and that the connector asks from a process of its own.
 *
 * <p>Rows come in the order of their commits, since one connection writes them: so a count of rows says which they are.
 */
final class SteadyLoad implements NullFeldera.Watch {
    /** A JVM that has just begun compiles what it runs; without linger it takes this long to catch up again. */
    private static final Duration WARM_UP = Duration.ofSeconds(20);

    private final Arguments.Pace pace;
    private final Backlogs backlogs;
    private final long[] committedNanos;
    private final long[] completedNanos;
    /**
     * Of each POST since the first of this load: rows taken up to and with it. Guarded by this, as the next four are.
     */
    private final List<Integer> takenRows = new ArrayList<>();

    private final long postsBefore;
    private int completedRows;
    private int mostInOnePost;
    private int postsWithRows;

    SteadyLoad(Arguments.Pace pace, Backlogs backlogs, NullFeldera feldera) {
        this.pace = pace;
        this.backlogs = backlogs;
        this.committedNanos = new long[pace.rows()];
        this.completedNanos = new long[pace.rows()];
        this.postsBefore = feldera.taken().posts();
        feldera.watchedBy(this);
    }

    /** Returns what is to be printed. */
    String measure(Task task, String heap) throws IOException, InterruptedException {
        CompletableFuture<Duration> written = CompletableFuture.supplyAsync(() -> write(task.slot()));
        Figures figures = Contestant.TIDEMARK.read(task, heap);
        try {
            return report(figures, written.join());
        } catch (CompletionException e) {
            throw new IllegalStateException("the writer failed", e);
        }
    }

    private Duration write(String slot) {
        try (Connection connection = backlogs.writer();
                PreparedStatement insert = connection.prepareStatement(Workload.STEADY.insertOne())) {
            while (!backlogs.isHeld(slot))
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            long begun = System.nanoTime();
            for (int row = 0; row < pace.rows(); row++) {
                long due = begun + row * Duration.ofSeconds(1).toNanos() / pace.perSecond();
                while (System.nanoTime() < due) LockSupport.parkNanos(due - System.nanoTime());
                insert.setLong(1, row);
                insert.execute();
                committedNanos[row] = System.nanoTime();
            }
            return Duration.ofNanos(System.nanoTime() - begun);
        } catch (SQLException e) {
            throw new CompletionException(e);
        }
    }

    @Override
    public synchronized void posted(long post, long operations) {
        if (operations > 0) postsWithRows++; // an endpoint is warmed with an empty array
        mostInOnePost = Math.max(mostInOnePost, (int) operations);
        takenRows.add(rowsTaken() + (int) operations);
    }

    private int rowsTaken() {
        return takenRows.isEmpty() ? 0 : takenRows.getLast();
    }

    @Override
    public synchronized void completed(long post) {
        long now = System.nanoTime();
        int rows = takenRows.get(Math.toIntExact(post - postsBefore - 1));
        while (completedRows < rows) completedNanos[completedRows++] = now;
    }

    private synchronized String report(Figures figures, Duration written) {
        if (completedRows != pace.rows()) {
            throw new IllegalStateException("%d of %d rows were completed".formatted(completedRows, pace.rows()));
        }
        double seconds = written.toNanos() / 1e9;
        return String.format(
                Locale.ROOT,
                "  %,d commits in %.1f s (%,.0f a second); %,d POSTs, at most %,d rows in one%n"
                        + "  commit to completed: %s; after the first %d s: %s%n"
                        + "  %.2f cores, peak RSS %.0f MiB%n",
                pace.rows(),
                seconds,
                pace.rows() / seconds,
                postsWithRows,
                mostInOnePost,
                latency(0),
                WARM_UP.toSeconds(),
                latency(Math.toIntExact(Math.min(pace.rows() - 1, pace.perSecond() * WARM_UP.toSeconds()))),
                figures.cpu().toNanos() / 1e9 / seconds,
                figures.peakRssMib());
    }

    /** Of all rows from this one on. */
    private String latency(int from) {
        double[] millis = new double[pace.rows() - from];
        for (int i = 0; i < millis.length; i++) {
            // The row may be read, sent and completed before its writer hears of the commit.
            millis[i] = Math.max(0, completedNanos[from + i] - committedNanos[from + i]) / 1e6;
        }
        Arrays.sort(millis);
        return String.format(
                Locale.ROOT,
                "p50 %.1f ms, p99 %.1f ms, at most %.1f ms",
                millis[millis.length / 2],
                millis[millis.length * 99 / 100],
                millis[millis.length - 1]);
    }
}
