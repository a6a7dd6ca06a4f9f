package tidemark.delivery;

import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.replication.ChangeSource;
import tidemark.replication.PostgresSource;
import tidemark.replication.SlotStatus;
import tidemark.replication.SourceFailure;
import tidemark.replication.SourceSession;
import tidemark.replication.TableEdition;

/** A source that a test takes away at any moment, for good: to PostgreSQL, the connector has crashed. */
final class SeverableSource implements ChangeSource {
    private final PostgresSource source;
    private Optional<SourceSession> session = Optional.empty();
    private boolean severed;

    SeverableSource(PostgresSource source) {
        this.source = source;
    }

    synchronized void sever() {
        severed = true;
        session.ifPresent(SourceSession::close);
    }

    @Override
    public SourceSession open() {
        return kept(source.open());
    }

    private synchronized SourceSession kept(SourceSession opened) {
        session = Optional.of(opened);
        if (!severed) return opened;
        opened.close();
        throw new SourceFailure(SourceFailure.Kind.PERMANENT, "open a session: the test took the source away", "none");
    }

    @Override
    public SlotStatus slot() {
        return source.slot();
    }

    @Override
    public Lsn walEnd() {
        return source.walEnd();
    }

    @Override
    public List<TableEdition> editions(List<RelationName> tables) {
        return source.editions(tables);
    }

    @Override
    public void close() {
        source.close();
    }
}
