package tidemark.replication;

import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;

/** Another source, but for what a subclass does differently. As thread safe as that one; closing it closes both. */
public abstract class ForwardingSource implements ChangeSource {
    private final ChangeSource source;

    /** @param source asked for everything */
    protected ForwardingSource(ChangeSource source) {
        this.source = source;
    }

    @Override
    public SourceSession open() {
        return source.open();
    }

    @Override
    public SlotStatus slot() {
        return source.slot();
    }

    @Override
    public Optional<WalRoom> walRoom() {
        return source.walRoom();
    }

    @Override
    public Optional<String> exclusiveHolder() {
        return source.exclusiveHolder();
    }

    @Override
    public Lsn walEnd() {
        return source.walEnd();
    }

    @Override
    public Lsn insertedWal() {
        return source.insertedWal();
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
