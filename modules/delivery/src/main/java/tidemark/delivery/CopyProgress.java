package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import tidemark.replication.TablePart;

/**
 * How far the copy of one table is, and when that is said: in the log when it begins, at most once a minute, and when
 * its last row was read; in the {@link TableCounters} always. Times are nanoseconds of the caller's clock. Owned by the
 * connector's thread.
 */
final class CopyProgress {
    private static final Logger LOG = System.getLogger("tidemark.delivery");

    private final TablePlan plan;
    private final TableCounters counters;
    private final long parts;
    private long partsBegun;
    private long partsRead;
    private long rows;
    private long begunNanos;
    private final OnceAMinute told = new OnceAMinute();

    CopyProgress(TablePlan plan, StatusBoard board, List<TablePart> parts) {
        this.plan = plan;
        this.counters = board.of(plan.postgres());
        this.parts = parts.stream().filter(this::isOf).count();
    }

    TablePlan plan() {
        return plan;
    }

    boolean isOf(TablePart part) {
        return part.table().name().equals(plan.postgres());
    }

    private String ofAbout() {
        return Long.toString(plan.shape().estimatedRows());
    }

    void partBegins(long nanos) {
        if (partsBegun++ > 0) return;
        begunNanos = nanos;
        told.said(nanos);
        counters.copyBegins(plan.shape().estimatedRows());
        LOG.log(
                Level.INFO,
                "copying table={0} of_about={1} parts={2}",
                plan.postgres(),
                ofAbout(),
                Long.toString(parts));
    }

    void rowsRead(long more, long nanos) {
        rows += more;
        counters.rowsCopied(more);
        if (!told.isDue(nanos)) return;
        LOG.log(Level.INFO, "copied table={0} rows={1} of_about={2}", plan.postgres(), Long.toString(rows), ofAbout());
    }

    boolean isRead() {
        return partsRead == parts;
    }

    void partRead(long nanos) {
        if (++partsRead < parts) return;
        long millis = Duration.ofNanos(nanos - begunNanos).toMillis();
        LOG.log(
                Level.INFO,
                "read table={0} rows={1} seconds={2}.{3}",
                plan.postgres(),
                Long.toString(rows),
                Long.toString(millis / 1000),
                Long.toString(millis % 1000 / 100));
    }
}
