package tidemark.app;

import io.helidon.common.Weighted;
import io.helidon.spi.HelidonShutdownHandler;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import tidemark.delivery.ExitCode;

/**
 * The one place where a running service ends, whether it was told to or has nothing more to do.
 *
 * <p>It lives in Helidon's shutdown hook, and comes before the container's own handler: delivery drains while every
 * bean still answers. It never returns to it, because a JVM that was sent SIGTERM ends with 143 unless it is halted,
 * and nothing in the container outlives the process.
 */
final class ProcessEnd implements HelidonShutdownHandler, Weighted {
    private static final System.Logger LOG = System.getLogger(ProcessEnd.class.getName());

    /** The container's handler has {@link #DEFAULT_WEIGHT} + 100. */
    private static final double BEFORE_THE_CONTAINER = DEFAULT_WEIGHT + 1000;

    private final CountDownLatch told = new CountDownLatch(1);
    private volatile Supplier<ExitCode> last = () -> ExitCode.DRAINED;

    private ProcessEnd() {}

    static ProcessEnd install() {
        var end = new ProcessEnd();
        io.helidon.Main.addShutdownHandler(end);
        end.keepLogOpen();
        return end;
    }

    /** Handlers are closed in their order, so ours has to be the first of them. */
    private void keepLogOpen() {
        Logger root = Logger.getLogger("");
        Handler[] others = root.getHandlers();
        Arrays.stream(others).forEach(root::removeHandler);
        root.addHandler(new OpenLog(told));
        Arrays.stream(others).forEach(root::addHandler);
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
        try {
            ExitCode code = last.get();
            LOG.log(Level.INFO, "stopped tidemark exit={0} meaning=\"{1}\"", code.code(), code.meaning());
            Arrays.stream(Logger.getLogger("").getHandlers()).forEach(Handler::flush);
            Runtime.getRuntime().halt(code.code());
        } finally {
            told.countDown();
        }
    }

    @Override
    public double weight() {
        return BEFORE_THE_CONTAINER;
    }

    /**
     * Lets nobody close the log before the end is told. The log's own shutdown hook closes it, and the JVM starts hooks
     * in any order: Helidon's handler for this waits for a hook that may not have been started yet, which is no wait.
     */
    private static final class OpenLog extends Handler {
        private final CountDownLatch told;

        OpenLog(CountDownLatch told) {
            this.told = told;
        }

        @Override
        public void publish(LogRecord line) {
            // the other handlers write
        }

        @Override
        public void flush() {
            // nothing is held
        }

        /** Somebody who only reads the log's configuration again is let through. */
        @Override
        public void close() {
            try {
                if (isJvmEnding()) told.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        /** Nobody can be asked, but a hook is refused then. */
        private static boolean isJvmEnding() {
            Thread hook = Thread.ofPlatform().unstarted(() -> {});
            try {
                Runtime.getRuntime().addShutdownHook(hook);
                Runtime.getRuntime().removeShutdownHook(hook);
                return false;
            } catch (IllegalStateException _) {
                return true;
            }
        }
    }
}
