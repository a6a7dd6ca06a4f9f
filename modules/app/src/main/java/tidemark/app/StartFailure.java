package tidemark.app;

import java.lang.System.Logger.Level;
import java.net.BindException;
import java.util.stream.Stream;
import tidemark.delivery.ExitCode;

/** Decides what a container that did not start means for the process. */
final class StartFailure {
    private static final System.Logger LOG = System.getLogger(StartFailure.class.getName());

    private StartFailure() {}

    static ExitCode report(RuntimeException failure) {
        boolean addressTaken = Stream.<Throwable>iterate(failure, cause -> cause != null, Throwable::getCause)
                .anyMatch(BindException.class::isInstance);
        if (addressTaken) {
            LOG.log(
                    Level.ERROR,
                    "failed start reason=\"the address is taken or not ours\" remedy=\"set server.port and server.host\"");
            return ExitCode.CONFIGURATION;
        }
        LOG.log(Level.ERROR, "failed start remedy=\"report this with the stack trace\"", failure);
        return ExitCode.BROKEN_INVARIANT;
    }
}
