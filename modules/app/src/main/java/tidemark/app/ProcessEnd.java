package tidemark.app;

import io.helidon.common.Weighted;
import io.helidon.spi.HelidonShutdownHandler;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.Logger;
import tidemark.delivery.ExitCode;

/**
 * The one place where a running service ends, whether it was told to or has nothing more to do.
 *
 * <p>It lives in Helidon's shutdown hook, which keeps logging alive, and comes before the container's own handler:
 * delivery drains while every bean still answers. It never returns to it, because a JVM that was sent SIGTERM ends with
 * 143 unless it is halted, and nothing in the container outlives the process.
 */
final class ProcessEnd implements HelidonShutdownHandler, Weighted {
    private static final System.Logger LOG = System.getLogger(ProcessEnd.class.getName());

    /** The container's handler has {@link #DEFAULT_WEIGHT} + 100. */
    private static final double BEFORE_THE_CONTAINER = DEFAULT_WEIGHT + 1000;

    private volatile Supplier<ExitCode> last = () -> ExitCode.DRAINED;

    private ProcessEnd() {}

    static ProcessEnd install() {
        var end = new ProcessEnd();
        io.helidon.Main.addShutdownHandler(end);
        return end;
    }

    /** From now on whoever ends the process drains this first. */
    void drains(DeliveryRun run) {
        last = run::drain;
    }

    /** Ends the process. */
    void with(ExitCode code) {
        last = () -> code;
        System.exit(code.code());
    }

    @Override
    public void shutdown() {
        ExitCode code = last.get();
        LOG.log(Level.INFO, "stopped tidemark exit={0} meaning=\"{1}\"", code.code(), code.meaning());
        halt(code);
    }

    /** Ends the process as a crash would, where a crash was asked for. */
    static void crash() {
        halt(ExitCode.BROKEN_INVARIANT);
    }

    private static void halt(ExitCode code) {
        Arrays.stream(Logger.getLogger("").getHandlers()).forEach(Handler::flush);
        Runtime.getRuntime().halt(code.code());
    }

    @Override
    public double weight() {
        return BEFORE_THE_CONTAINER;
    }
}
