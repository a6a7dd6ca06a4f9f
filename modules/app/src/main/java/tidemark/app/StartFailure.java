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

    /** The HTTP server cannot be where it should. */
    static final class NotListening extends RuntimeException {
        private final String remedy;

        NotListening(String why, String remedy) {
            super(why);
            this.remedy = remedy;
        }
    }

    private StartFailure() {}

    static ExitCode report(RuntimeException failure) {
        Optional<NotListening> deaf = causes(failure)
                .filter(NotListening.class::isInstance)
                .map(NotListening.class::cast)
                .findFirst();
        if (deaf.isPresent()) {
            LOG.log(
                    Level.ERROR,
                    "failed start why=\"{0}\" remedy=\"{1}\"",
                    deaf.get().getMessage(),
                    deaf.get().remedy);
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
