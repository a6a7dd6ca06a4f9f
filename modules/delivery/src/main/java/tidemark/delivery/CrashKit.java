package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.EnumSet;
import java.util.Set;

/**
 * Ends the process on purpose, without cleaning up, where one named point is passed by a batch that is late enough: for
 * whoever wants to see that a crash there loses nothing. Without a point it does nothing.
 */
public final class CrashKit {
    private static final Logger LOG = System.getLogger("tidemark.delivery");

    private final Set<CrashPoint> points;
    private final int afterBatches;
    private final Runnable end;

    private CrashKit(Set<CrashPoint> points, int afterBatches, Runnable end) {
        this.points = points;
        this.afterBatches = afterBatches;
        this.end = end;
    }

    public static CrashKit none() {
        return new CrashKit(EnumSet.noneOf(CrashPoint.class), 1, () -> {});
    }

    /**
     * @param afterBatches from 1: the batch that must have come so far
     * @param end ends the process, and does not return
     */
    public static CrashKit at(CrashPoint point, int afterBatches, Runnable end) {
        return new CrashKit(EnumSet.of(point), afterBatches, end);
    }

    boolean isArmed() {
        return !points.isEmpty();
    }

    /** Nobody should meet it by surprise. */
    void announce() {
        for (CrashPoint point : points) {
            LOG.log(
                    Level.WARNING,
                    "crash.at={0} crash.after-batches={1} will end this process with {2} on purpose",
                    point.word(),
                    Integer.toString(afterBatches),
                    Integer.toString(ExitCode.BROKEN_INVARIANT.code()));
        }
    }

    /** @param batch which batch of its copy or stream, from 1; 0 before the first */
    void passes(CrashPoint point, long batch) {
        if (!points.contains(point) || batch < afterBatches) return;
        LOG.log(Level.WARNING, "crashing at={0} batch={1}", point.word(), Long.toString(batch));
        end.run();
    }
}
