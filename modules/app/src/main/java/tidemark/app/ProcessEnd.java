package tidemark.app;

import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Handler;
import java.util.logging.Logger;
import tidemark.delivery.ExitCode;

/**
 * The one place where a running service ends, whether it was told to or has nothing more to do.
 *
 * <p>It halts the JVM and never lets it shut down: a JVM that shuts down for SIGTERM ends with 143, is deaf to a second
 * one, and closes the log under whoever still drains (ADR 0007). Nothing in the container outlives the process, so
 * nothing is lost by that.
 *
 * <p>Any thread may end the process; the first one does, and the others wait for it.
 */
final class ProcessEnd {
    private static final System.Logger LOG = System.getLogger(ProcessEnd.class.getName());

    private final Set<String> heard = ConcurrentHashMap.newKeySet();
    private Optional<Wiring> service = Optional.empty();

    /** From now on a stop drains this first. To be called before it starts. */
    synchronized void drains(Wiring wired) {
        service = Optional.of(wired);
    }

    /**
     * The first signal drains. Whoever sends the same again does not want to wait for that; another one does not count,
     * because Ctrl-C reaches a process twice: from the terminal, and as its parent's SIGTERM.
     */
    void signalled(String name) {
        LOG.log(Level.INFO, "stop asked signal={0}", name);
        if (!heard.add(name)) with(ExitCode.TEMPORARY);
        with(drained());
    }

    private ExitCode drained() {
        return wiredOrOver().map(wired -> wired.run().drain()).orElse(ExitCode.DRAINED);
    }

    /** Under the lock that {@link #drains} takes: what was not wired by now never starts. */
    private synchronized Optional<Wiring> wiredOrOver() {
        if (service.isEmpty()) with(ExitCode.DRAINED);
        return service;
    }

    /** Ends the process. */
    synchronized void with(ExitCode code) {
        LOG.log(Level.INFO, "{0}", ClosingLine.of(code, service.map(Wiring::status)));
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
}
