package tidemark.demo;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tidemark.delivery.ExitCode;

/**
 * Somebody's database. Nothing is written to it: the service makes a replication slot of the demo's own, which is
 * dropped again at the end, since a slot that nobody reads keeps WAL until the disk is full.
 */
final class GivenSource extends SourceSide {
    /** The walsender of a service that was just killed lets go of the slot when it notices. */
    private static final long DROP_ATTEMPTS = 20;

    private static final long DROP_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** From here on there may be a slot. */
    private volatile boolean prepared;

    /** @param slot of nobody else */
    GivenSource(SourceDatabase database, String slot, String publication, String tables) {
        super(database, slot, publication, tables);
    }

    @Override
    void prepare() {
        if (!database().hasPublication(publication())) {
            throw new DemoFailure(
                    ExitCode.CONFIGURATION,
                    "there is no publication '%1$s': CREATE PUBLICATION %1$s FOR TABLE …, or name one by --publication"
                            .formatted(publication()));
        }
        prepared = true;
    }

    @Override
    void startWriting() {
        // whoever uses the database does
    }

    @Override
    void writeBigTransaction() {
        // nothing of ours is written to somebody's tables
    }

    @Override
    String stopWriting() {
        return "written by the demo: nothing; what others write while rows are compared shows up as a difference";
    }

    @Override
    void requireHealthy() {
        // nothing of ours can fail
    }

    @Override
    public void close() {
        if (prepared) dropSlot();
    }

    private void dropSlot() {
        Optional<DemoFailure> failure = Optional.empty();
        for (int attempt = 0; attempt < DROP_ATTEMPTS; attempt++) {
            try {
                database().dropSlot(slot());
                return;
            } catch (DemoFailure e) {
                failure = Optional.of(e);
                LockSupport.parkNanos(DROP_PAUSE_NANOS);
            }
        }
        throw new DemoFailure(
                ExitCode.UNREACHABLE,
                "the slot is still there and keeps WAL. Drop it: SELECT pg_drop_replication_slot('%s')"
                        .formatted(slot()),
                failure.orElseThrow());
    }
}
