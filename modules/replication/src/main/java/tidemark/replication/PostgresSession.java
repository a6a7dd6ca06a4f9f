package tidemark.replication;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.postgresql.PGConnection;
import tidemark.decode.Lsn;
import tidemark.replication.SourceFailure.Kind;

/**
 * One session on two connections: a walsender, which creates slots and streams, and an ordinary one for questions,
 * since the first command on a walsender would end the snapshot that it exported. Copies and snapshots beside the slot
 * open more.
 *
 * <p>A crash loses the session and nothing else: the slot is the only position.
 */
final class PostgresSession implements SourceSession {
    private static final System.Logger LOG = System.getLogger(PostgresSession.class.getName());

    private sealed interface Phase {}

    private record Looking() implements Phase {}

    private record Streaming(ReplicationStream stream) implements Phase {}

    private record Finished(long statusReplies) implements Phase {}

    private final PostgresSettings settings;
    private final SessionConnections connections;
    private final Connection walsender;
    private final Connection questions;
    private final SourceIdentity identity;
    private final BackendWaits waits;
    private final SlotCreation creation;
    private final LockWait locks;
    private final InstantSource clock;
    private Phase phase = new Looking();
    private TypeCatalog types = TypeCatalog.empty();

    PostgresSession(
            PostgresSettings settings,
            SessionConnections connections,
            Connection walsender,
            Connection questions,
            SourceIdentity identity,
            InstantSource clock) {
        this.settings = settings;
        this.connections = connections;
        this.walsender = walsender;
        this.questions = questions;
        this.identity = identity;
        this.waits = new BackendWaits(connections);
        this.creation = new SlotCreation(waits, settings.slotPatience());
        this.locks = new LockWait(waits, settings.slotPatience());
        this.clock = clock;
    }

    @Override
    public SourceIdentity identity() {
        return identity;
    }

    @Override
    public SlotStatus slot() {
        if (SlotCatalog.isKeptInStep(questions, settings.slot())) throw keptInStep();
        return slotNow();
    }

    private SlotStatus slotNow() {
        return SlotCatalog.read(questions, settings.slot(), identity.database());
    }

    @Override
    public Publication publication() {
        PublicationCatalog.Found found = locks.answered(
                questions,
                "read publication " + SqlText.identifier(settings.publication()),
                () -> PublicationCatalog.read(questions, settings.publication(), identity.serverMajor()));
        types = found.types();
        return found.publication();
    }

    @Override
    public TypeShape type(int oid, int modifier) {
        return types.has(oid) ? types.shape(oid, modifier) : typeNow(oid, modifier);
    }

    @Override
    public TypeShape typeNow(int oid, int modifier) {
        types = types.with(Classification.classified(
                "read the type with oid " + Integer.toUnsignedString(oid),
                () -> TypeCatalog.read(questions, List.of(oid))));
        return types.shape(oid, modifier);
    }

    @Override
    public List<TableShape.UniqueKey> uniqueKeysNow(int oid) {
        return Classification.classified(
                "read the unique keys of the table with oid " + Integer.toUnsignedString(oid),
                () -> UniqueKeyCatalog.read(questions, List.of(oid)).getOrDefault(oid, List.of()));
    }

    @Override
    public void awaitVisible(int xid) {
        VisibleTransaction.await(questions, xid);
    }

    @Override
    public Snapshot createSlot() {
        dropHalfMade();
        String command =
                ReplicationCommand.createSlotExporting(settings.slot(), settings.options(), identity.serverMajor());
        SlotCreation.Exported created = creation.exporting(walsender, settings.slot(), command);
        return exported(created, this::forgetSnapshot);
    }

    private Snapshot exported(SlotCreation.Exported created, Runnable release) {
        return new ExportedSnapshot(connections, created.consistentPoint(), created.snapshot(), locks, release);
    }

    /** Any command ends the exported snapshot; streaming has already. */
    private void forgetSnapshot() {
        if (phase instanceof Looking) run(walsender, "release the snapshot", "SELECT 1");
    }

    @Override
    public Lsn createSlotWithoutSnapshot() {
        dropHalfMade();
        String command = ReplicationCommand.createSlotWithoutSnapshot(
                settings.slot(), settings.options(), identity.serverMajor());
        return creation.withoutSnapshot(walsender, settings.slot(), command);
    }

    private void dropHalfMade() {
        if (!(slotNow() instanceof SlotStatus.HalfMade)) return;
        dropSlot();
        LOG.log(Level.INFO, "dropped slot name=%s why=half-made".formatted(settings.slot()));
    }

    @Override
    public Snapshot snapshotBesideSlot() {
        Connection beside = connections.forReplication();
        try {
            // A process id is unique on a server, and a temporary slot does not outlive its process.
            String name = "tidemark_beside_"
                    + Classification.classified(
                            "name a temporary slot",
                            () -> beside.unwrap(PGConnection.class).getBackendPID());
            String command = ReplicationCommand.createTemporarySlotExporting(name, identity.serverMajor());
            SlotCreation.Exported created = creation.exporting(beside, name, command);
            return exported(created, () -> connections.release(beside));
        } catch (SourceFailure e) {
            connections.end(beside);
            throw e;
        }
    }

    @Override
    public Optional<String> waitsFor() {
        return waits.waitsFor();
    }

    @Override
    public void dropSlot() {
        ReplicationCommand.requireSlotName(settings.slot());
        String name = SqlText.literal(settings.slot());
        run(
                questions,
                "drop slot " + settings.slot(),
                "SELECT pg_drop_replication_slot(slot_name) FROM pg_catalog.pg_replication_slots WHERE slot_name = "
                        + name);
    }

    @Override
    public Lsn start() {
        if (!(phase instanceof Looking)) throw new IllegalStateException("the session has streamed already");
        if (settings.options().failover()) letFailOver();
        String command = ReplicationCommand.start(settings.slot(), settings.publication(), settings.options());
        Duration timeout = walSenderTimeout();
        try {
            phase = new Streaming(ReplicationStream.start(walsender, command, timeout, clock));
        } catch (SQLException e) {
            throw refused(e);
        }
        // Own first, look second: before this nobody could know who moves the slot.
        SlotStatus now = slotNow();
        if (now instanceof SlotStatus.Usable(Lsn confirmedFlush, Lsn restart, OptionalInt _)) {
            LOG.log(
                    Level.INFO,
                    "start stream slot=%s confirmed_flush=%s restart=%s wal_sender_timeout=%s"
                            .formatted(settings.slot(), confirmedFlush, restart, timeout));
            return confirmedFlush;
        }
        throw unusable(now).orElseThrow();
    }

    /** A slot from before the setting: only its maker says how it is made. */
    private void letFailOver() {
        if (SlotCatalog.failsOver(questions, settings.slot())) return;
        run(
                walsender,
                "let slot %s fail over".formatted(settings.slot()),
                ReplicationCommand.enableFailover(settings.slot()));
        LOG.log(Level.INFO, "alter slot name=%s failover=true".formatted(settings.slot()));
    }

    /** What a refused START means depends on the slot: the same SQLSTATE stands for a lost slot and for others. */
    private SourceFailure refused(SQLException e) {
        SlotStatus now = slot();
        if (Classification.bySqlState(Classification.sqlState(e)) == Kind.SLOT_BUSY) return busy(now, e);
        return unusable(now).orElseGet(() -> Classification.of("start streaming from slot " + settings.slot(), e));
    }

    private SourceFailure keptInStep() {
        return new SourceFailure(
                Kind.SLOT_BUSY,
                "slot %s is the primary's, which this standby keeps in step and gives to nobody"
                        .formatted(settings.slot()),
                "connect to the primary, or promote this standby; to read from a standby choose another postgres.slot");
    }

    private SourceFailure busy(SlotStatus now, SQLException e) {
        String holder =
                now instanceof SlotStatus.Usable usable && usable.activePid().isPresent()
                        ? "the walsender with pid " + usable.activePid().getAsInt()
                        : "a walsender that has just let go";
        return new SourceFailure(
                Kind.SLOT_BUSY,
                "start streaming from slot %s: held by %s".formatted(settings.slot(), holder),
                "stop the other consumer of this slot, or wait until the server notices that it is gone",
                e);
    }

    private Optional<SourceFailure> unusable(SlotStatus now) {
        String attempted = "start streaming from slot %s: ".formatted(settings.slot());
        return switch (now) {
            case SlotStatus.Usable _ -> Optional.empty();
            case SlotStatus.Missing _ ->
                Optional.of(
                        new SourceFailure(Kind.SLOT_LOST, attempted + "it does not exist", "find out who dropped it"));
            case SlotStatus.HalfMade _ ->
                Optional.of(new SourceFailure(
                        Kind.SLOT_BUSY, attempted + "it is being created", "wait, or drop it when nobody creates it"));
            case SlotStatus.Lost lost ->
                Optional.of(new SourceFailure(Kind.SLOT_LOST, attempted + "it is lost, " + lost.why(), lost.remedy()));
            case SlotStatus.Foreign(String why) ->
                Optional.of(new SourceFailure(
                        Kind.MISCONFIGURED, attempted + why, "set postgres.slot to a name that is free"));
        };
    }

    @Override
    public boolean holdsSlot() {
        int own = Classification.classified(
                "know the own walsender",
                () -> walsender.unwrap(PGConnection.class).getBackendPID());
        return slotNow() instanceof SlotStatus.Usable(Lsn _, Lsn _, OptionalInt active)
                && active.equals(OptionalInt.of(own));
    }

    @Override
    public Duration statusInterval() {
        return stream().statusInterval();
    }

    /**
     * Of the walsender itself: role and database may set it, too. The catalog gives it in milliseconds, SHOW in words.
     */
    private Duration walSenderTimeout() {
        return Classification.classified("read wal_sender_timeout", () -> {
            try (Statement statement = walsender.createStatement();
                    ResultSet row = statement.executeQuery(
                            "SELECT setting::bigint FROM pg_catalog.pg_settings WHERE name = 'wal_sender_timeout'")) {
                row.next();
                return Duration.ofMillis(row.getLong(1));
            }
        });
    }

    private static void run(Connection connection, String attempted, String sql) {
        Classification.classified(attempted, () -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            }
        });
    }

    @Override
    public Received poll() {
        return stream().poll();
    }

    @Override
    public void positions(Lsn received, Lsn confirmed) {
        stream().positions(received, confirmed);
    }

    private ReplicationStream stream() {
        return switch (phase) {
            case Streaming(ReplicationStream stream) -> stream;
            case Looking _, Finished _ -> throw new IllegalStateException("the session is not streaming");
        };
    }

    @Override
    public void heartbeat(long nanos) {
        switch (phase) {
            case Streaming(ReplicationStream stream) -> stream.heartbeat(nanos);
            case Looking _, Finished _ -> {}
        }
    }

    @Override
    public long statusReplies() {
        return switch (phase) {
            case Looking _ -> 0;
            case Streaming(ReplicationStream stream) -> stream.statusReplies();
            case Finished(long replies) -> replies;
        };
    }

    @Override
    public void finish() {
        if (!(phase instanceof Streaming(ReplicationStream stream))) return;
        stream.finish(connections);
        phase = new Finished(stream.statusReplies());
    }

    @Override
    public void close() {
        connections.close();
    }
}
