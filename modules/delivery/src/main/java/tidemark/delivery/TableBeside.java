package tidemark.delivery;

import java.util.List;
import java.util.Optional;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceSession;
import tidemark.replication.TableEdition;

/**
 * One table, looked at and read under a snapshot while the session streams, through a source session of its own. The
 * plan that the session began with may be older than the snapshot by every ALTER TABLE since.
 *
 * <p>{@link #look} and {@link #snapshot} block, and are asked in errands, one after the other; {@link #waitsFor} and
 * {@link #close} by any thread. What is under way then fails.
 */
final class TableBeside implements AutoCloseable {
    /**
     * @param plan by what the catalog and the pipeline show now
     * @param edition of the very table that {@code plan} is about
     */
    record Looked(TablePlan plan, TableEdition edition) {}

    private final Surroundings around;
    private final ReplicationState.Origin origin;
    private final ReplicationState.Table stands;
    /** Guarded by this, as is {@link #closed}. */
    private Optional<SourceSession> session = Optional.empty();

    private boolean closed;

    /**
     * @param origin of the session that streams
     * @param stands the table as the state knows it
     */
    TableBeside(Surroundings around, ReplicationState.Origin origin, ReplicationState.Table stands) {
        this.around = around;
        this.origin = origin;
        this.stands = stands;
    }

    /** @throws RowRefused if it cannot be read again, by name; {@link SessionOver} if the slot cannot be held for it */
    Looked look() {
        WalGuard.tooLittleToBegin(around.source().walRoom()).ifPresent(why -> {
            throw why;
        });
        Looked looked = lookToCompare();
        MergeCheck.requireMergeable(looked.plan());
        return looked;
    }

    /** @throws RowRefused if what PostgreSQL has does not fit what Feldera has, by name */
    Looked lookToCompare() {
        SourceSession source = keep(around.source().open());
        if (!ReplicationState.Origin.of(source.identity()).equals(origin)) throw altered("the server");
        StartCheck.Findings checked =
                StartCheck.of(source.publication(), around.destination().tables(), around.settings());
        if (!checked.mayStart()) throw new RowRefused(checked.problems().getFirst()); // a session has to begin after it
        TablePlan plan = checked.plans().stream()
                .filter(of -> of.postgres().equals(stands.postgres()))
                .findFirst()
                .orElseThrow();
        if (plan.shape().oid() != stands.oid()) {
            throw new RowRefused(new Finding(
                    plan.label(),
                    "it was dropped and made anew, and Feldera has the rows of the first one",
                    "restart Tidemark, which then reads it as a new one"));
        }
        return new Looked(plan, edition());
    }

    private TableEdition edition() {
        return around.source().editions(List.of(stands.postgres())).stream()
                .findFirst()
                .orElseThrow(() -> altered("table " + stands.postgres()));
    }

    /**
     * Waits for older transactions, as a slot does, and for whoever holds the table exclusively, and not for longer.
     * The slot is gone when it returns: the snapshot is all that is needed, and one transaction keeps it. Its copies
     * are refused if the table was altered.
     */
    Snapshot snapshot(Looked looked) {
        SourceSession source = kept();
        Snapshot taken = source.snapshotBesideSlot().taken(looked.plan().shape());
        var snapshot = new UnalteredSnapshot(taken, around.source(), List.of(looked.edition()));
        boolean same = source.publication().tables().stream().anyMatch(looked.plan()::isStillOf);
        if (!same || !edition().equals(looked.edition())) throw altered("table " + stands.postgres());
        return snapshot;
    }

    private static SessionOver altered(String what) {
        return new SessionOver(Failure.peer(what + " was altered while its snapshot was made", "Ask again."));
    }

    private synchronized SourceSession keep(SourceSession opened) {
        session = Optional.of(opened);
        if (closed) opened.close();
        return opened;
    }

    private synchronized SourceSession kept() {
        return session.orElseThrow();
    }

    /** Whom the snapshot waits for, in words. */
    synchronized Optional<String> waitsFor() {
        return session.flatMap(SourceSession::waitsFor);
    }

    @Override
    public void close() {
        Optional<SourceSession> open;
        synchronized (this) {
            closed = true;
            open = session;
        }
        open.ifPresent(SourceSession::close);
    }
}
