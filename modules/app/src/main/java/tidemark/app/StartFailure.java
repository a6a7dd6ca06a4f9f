package tidemark.app;

import java.lang.System.Logger.Level;
import java.net.BindException;
import java.util.Optional;
import java.util.stream.Stream;
import tidemark.delivery.ExitCode;
import tidemark.replication.SourceFailure;
import tidemark.sink.SinkFailure;

/** Decides what a container that did not start means for the process. */
final class StartFailure {
    private static final System.Logger LOG = System.getLogger(StartFailure.class.getName());

    private StartFailure() {}

    static ExitCode report(RuntimeException failure) {
        if (causes(failure).anyMatch(BindException.class::isInstance)) {
            LOG.log(
                    Level.ERROR,
                    "failed start reason=\"the address is taken or not ours\" remedy=\"set server.port and server.host\"");
            return ExitCode.CONFIGURATION;
        }
        Optional<SourceFailure> source = causes(failure)
                .filter(SourceFailure.class::isInstance)
                .map(SourceFailure.class::cast)
                .findFirst();
        if (source.isPresent()) {
            SourceFailure refused = source.get();
            LOG.log(Level.ERROR, "failed start why=\"{0}\" remedy=\"{1}\"", refused.getMessage(), refused.remedy());
            return ExitCode.CONFIGURATION;
        }
        Optional<Throwable> sink =
                causes(failure).filter(SinkFailure.class::isInstance).findFirst();
        if (sink.isPresent()) {
            LOG.log(
                    Level.ERROR,
                    "failed start why=\"{0}\" remedy=\"check feldera.ca-file\"",
                    sink.get().getMessage());
            return ExitCode.CONFIGURATION;
        }
        LOG.log(Level.ERROR, "failed start remedy=\"report this with the stack trace\"", failure);
        return ExitCode.BROKEN_INVARIANT;
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
    }
}
