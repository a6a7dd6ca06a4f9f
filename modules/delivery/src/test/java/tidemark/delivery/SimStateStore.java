package tidemark.delivery;

import java.util.Optional;

/** One process's hold on a {@link SimDisk}: {@link StateFile} in memory. */
final class SimStateStore implements StateStore {
    /** Is told what a write is about to make durable. */
    interface Watcher {
        void writes(Optional<ReplicationState> before, ReplicationState after);
    }

    private final SimDisk disk;
    private final Watcher watcher;
    private long written = -1;
    private long seen = -1;

    SimStateStore(SimDisk disk, Watcher watcher) {
        this.disk = disk;
        this.watcher = watcher;
    }

    @Override
    public Optional<Turn> takeTurn() {
        return disk.take(this) ? Optional.of(() -> disk.letGo(this)) : Optional.empty();
    }

    @Override
    public Known read() {
        seen = disk.number();
        return new Known(disk.content(), seen == written);
    }

    @Override
    public void requireWritable() {}

    @Override
    public void write(ReplicationState state) {
        Optional<ReplicationState> now = disk.content();
        if (now.isPresent() && disk.number() != seen) {
            throw new SessionOver(new Failure.Transient("another process wrote the state", "Stop one.", true));
        }
        watcher.writes(now, state);
        seen = disk.put(state);
        written = seen;
    }
}
