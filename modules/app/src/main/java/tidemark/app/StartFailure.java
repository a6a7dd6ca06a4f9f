package tidemark.app;

import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.stream.Stream;
import tidemark.delivery.ExitCode;
import tidemark.replication.SourceFailure;
import tidemark.sink.SinkFailure;

/** Decides what a container that did not start means for the process. */
final class StartFailure {
    private static final System.Logger LOG = System.getLogger(StartFailure.class.getName());

    /** Helidon logs why its server did not start, and goes on without it. */
    static final class NotListening extends RuntimeException {
        NotListening() {
            super("the server does not listen");
        }
    }

    private StartFailure() {}

    static ExitCode report(RuntimeException failure) {
        if (causes(failure).anyMatch(NotListening.class::isInstance)) {
            LOG.log(
                    Level.ERROR,
                    "failed start why=\"cannot listen, see above\" remedy=\"set server.port and server.host to"
                            + " a free address\"");
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
