package tidemark.delivery;

import java.util.Optional;
import tidemark.replication.ChangeSource;
import tidemark.replication.ForwardingSource;
import tidemark.replication.SourceFailure;
import tidemark.replication.SourceSession;

/** A source that a test takes away at any moment, for good: to PostgreSQL, the connector has crashed. */
final class SeverableSource extends ForwardingSource {
    private Optional<SourceSession> session = Optional.empty();
    private boolean severed;

    SeverableSource(ChangeSource source) {
        super(source);
    }

    synchronized void sever() {
        severed = true;
        session.ifPresent(SourceSession::close);
    }

    @Override
    public SourceSession open() {
        return kept(super.open());
    }

    private synchronized SourceSession kept(SourceSession opened) {
        session = Optional.of(opened);
        if (!severed) return opened;
        opened.close();
        throw new SourceFailure(SourceFailure.Kind.PERMANENT, "open a session: the test took the source away", "none");
    }
}
