package tidemark.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.replication.ChangeSource;
import tidemark.replication.ForwardingSession;
import tidemark.replication.ForwardingSource;
import tidemark.replication.SourceSession;

/**
 * Notes when the first session begins to stream, before it does: the server decodes from then on, while the connector
 * still looks at its slot. Otherwise the source that it was given.
 */
final class ClockedSource extends ForwardingSource {
    /** @param cpu of this process until then */
    record Moment(Instant at, Duration cpu) {
        static Moment now() {
            return new Moment(Instant.now(), Figures.cpuOfThisProcess());
        }
    }

    private volatile Optional<Moment> started = Optional.empty();

    ClockedSource(ChangeSource source) {
        super(source);
    }

    /** From any thread. */
    Optional<Moment> started() {
        return started;
    }

    @Override
    public SourceSession open() {
        return new Session(super.open());
    }

    private final class Session extends ForwardingSession {
        Session(SourceSession session) {
            super(session);
        }

        @Override
        public Lsn start() {
            if (started.isEmpty()) started = Optional.of(Moment.now());
            return super.start();
        }
    }
}
