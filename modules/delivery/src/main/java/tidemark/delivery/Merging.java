package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import tidemark.replication.Snapshot;

/**
 * Makes a Feldera table equal to PostgreSQL's under a snapshot where it may hold rows that nothing which is still to
 * come takes out ({@link MergedTable}): what was sent to it before is complete first, then the differences go as
 * ordinary batches. Runs on the connector's thread, within {@link Copying}; a crash leaves the table to be merged
 * again.
 */
final class Merging {
    private static final Logger LOG = System.getLogger("tidemark.delivery");
    private final Surroundings around;
    private final Outbox outbox;
    private final CoreDriver driver;
    private final Runnable settle;

    /**
     * @param outbox empty, of {@code driver}
     * @param settle lets what came back be dealt with, waiting a moment for it
     */
    Merging(Surroundings around, Outbox outbox, CoreDriver driver, Runnable settle) {
        this.around = around;
        this.outbox = outbox;
        this.driver = driver;
        this.settle = settle;
    }

    /** Returns when the last difference is in a batch. */
    void merge(Snapshot snapshot, TablePlan plan, String why) {
        TableCounters counters = around.board().of(plan.postgres());
        counters.copyBegins(plan.shape().estimatedRows());
        counters.standsAt(TableState.MERGING);
        LOG.log(Level.WARNING, "merging table={0} why=\"{1}\"", plan.postgres(), why);
        var told = new OnceAMinute();
        told.said(around.now());
        Covered covered = driver.covered(plan, "merged");
        while (!covered.isComplete()) settle.run();
        try (var merged = MergedTable.of(around, plan, snapshot)) {
            send(new Filling(around.errands(), merged), counters, () -> {
                if (told.isDue(around.now())) tell(plan, merged.found());
            });
            LOG.log(Level.INFO, "merged table={0} {1}", plan.postgres(), merged.found());
        }
    }

    private static void tell(TablePlan plan, MergedTable.Found found) {
        LOG.log(
                Level.INFO,
                "compared table={0} of_about={1} {2}",
                plan.postgres(),
                Long.toString(plan.shape().estimatedRows()),
                found);
    }

    private void send(Filling filling, TableCounters counters, Runnable tell) {
        Optional<RowBytes> ready = Optional.empty();
        while (ready.isPresent() || !filling.isOver()) {
            if (ready.isEmpty()) ready = filling.filled().flatMap(this::unlessEmpty);
            if (ready.isEmpty() && filling.isIdle()) filling.begin(outbox.blank());
            if (ready.isPresent() && outbox.isEmpty() && driver.core().wantsMore()) {
                counters.rowsCopied(ready.get().operations());
                outbox.take(filling.table(), ready.get());
                driver.crash().copying(); // with these differences missing
                ready = Optional.empty();
            }
            settle.run();
            tell.run();
        }
    }

    private Optional<RowBytes> unlessEmpty(RowBytes body) {
        if (body.operations() > 0) return Optional.of(body);
        outbox.release(body);
        return Optional.empty();
    }
}
