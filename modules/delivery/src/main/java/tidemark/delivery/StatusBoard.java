package tidemark.delivery;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.replication.SlotStatus;
import tidemark.replication.WalRoom;
import tidemark.sink.FelderaName;

/**
 * What the connector shows of itself. Written by the connector's thread and, for the server's positions, by the
 * monitor; read by any.
 */
final class StatusBoard {
    private record Stage(Phase phase, Instant since, Supplier<Optional<String>> waitingFor) {}

    private record Positions(
            Lsn received, Lsn completed, Lsn confirmed, int inFlight, Optional<Instant> oldestUnconfirmed) {}

    private record Server(Lsn walEnd, Lsn confirmed, Lsn restart) {}

    /** Everything up to there was read, the first of it then. */
    private record Read(Lsn upTo, Instant at) {}

    /** The oldest row may look so much older: what is kept grows with time, not with the number of transactions. */
    private static final Duration READ_TOGETHER = Duration.ofMillis(100);
    /** A position that is held for hours is never short of something unconfirmed: 32 KiB. */
    private static final int READS_MAX = 1000;

    private final InstantSource clock;
    /** Of the connector's thread. */
    private final ArrayDeque<Read> unconfirmed = new ArrayDeque<>();

    private Duration readTogether = READ_TOGETHER;

    private final Map<RelationName, TableCounters> counters = new LinkedHashMap<>();
    private final NulledValues nulled = new NulledValues();
    private final List<TableRoute> routes;
    private final AtomicLong sessions = new AtomicLong();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong completed = new AtomicLong();
    private final AtomicLong replies = new AtomicLong();
    private volatile Stage stage;
    private volatile Positions positions = new Positions(Lsn.ZERO, Lsn.ZERO, Lsn.ZERO, 0, Optional.empty());
    private volatile Server server = new Server(Lsn.ZERO, Lsn.ZERO, Lsn.ZERO);
    private volatile Optional<WalRoom> walRoom = Optional.empty();
    private volatile Optional<String> lastFailure = Optional.empty();
    private volatile Optional<ExitCode> exit = Optional.empty();
    private volatile Optional<String> closing = Optional.empty();

    StatusBoard(List<TableRoute> routes, InstantSource clock) {
        this.routes = routes;
        this.clock = clock;
        this.stage = new Stage(Phase.CONNECTING, clock.instant(), Optional::empty);
        for (TableRoute route : routes) counters.put(route.postgres(), new TableCounters());
    }

    TableCounters of(RelationName table) {
        return counters.computeIfAbsent(table, _ -> new TableCounters());
    }

    /** Shown with everything else. */
    NulledValues nulled() {
        return nulled;
    }

    void phase(Phase phase) {
        phase(phase, Optional::empty);
    }

    void phase(Phase phase, String waitingFor) {
        phase(phase, () -> Optional.of(waitingFor));
    }

    /**
     * Said again, as a wait does at every look, it began when it was first said.
     *
     * @param waitingFor asked by whoever looks at the status, on any thread
     */
    void phase(Phase phase, Supplier<Optional<String>> waitingFor) {
        Stage before = stage;
        stage = new Stage(phase, before.phase() == phase ? before.since() : clock.instant(), waitingFor);
    }

    void waitsFor(Optional<String> what) {
        Stage before = stage;
        if (!before.waitingFor().get().equals(what)) stage = new Stage(before.phase(), before.since(), () -> what);
    }

    long sessions() {
        return sessions.get();
    }

    void sessionBegan() {
        sessions.incrementAndGet();
    }

    /** How far everything is; called every turn. */
    void show(Lsn received, DeliveryCore core) {
        Positions now = positions;
        if (now.received().equals(received)
                && now.confirmed().equals(core.confirmed())
                && now.completed().equals(core.completed())
                && now.inFlight() == core.inFlight()) return;
        positions = new Positions(
                received, core.completed(), core.confirmed(), core.inFlight(), oldestUnconfirmed(now, received, core));
    }

    /** A session that failed has not confirmed what it read: its age goes on. */
    private Optional<Instant> oldestUnconfirmed(Positions before, Lsn received, DeliveryCore core) {
        Instant now = clock.instant();
        while (!unconfirmed.isEmpty() && !unconfirmed.getFirst().upTo().isAfter(core.confirmed())) {
            unconfirmed.removeFirst();
        }
        boolean few = unconfirmed.size() < READS_MAX / 4; // thinned, there were twice as many
        if (few && readTogether.compareTo(READ_TOGETHER) > 0) readTogether = readTogether.dividedBy(2);
        if (received.isAfter(core.confirmed())) read(received, now);
        if (!unconfirmed.isEmpty()) return Optional.of(unconfirmed.getFirst().at());
        if (core.inFlight() == 0) return Optional.empty();
        // Parts of a transaction that is not read to its end have no position yet.
        return core.confirmed().isAfter(before.confirmed())
                ? Optional.of(now)
                : before.oldestUnconfirmed().or(() -> Optional.of(now));
    }

    private void read(Lsn upTo, Instant now) {
        if (!unconfirmed.isEmpty()) {
            Read last = unconfirmed.getLast();
            if (!upTo.isAfter(last.upTo())) return;
            if (now.isBefore(last.at().plus(readTogether))) {
                unconfirmed.removeLast();
                unconfirmed.addLast(new Read(upTo, last.at()));
                return;
            }
        }
        unconfirmed.addLast(new Read(upTo, now));
        if (unconfirmed.size() > READS_MAX) thin();
    }

    /** Two and two as one, so old as the older of them. */
    private void thin() {
        readTogether = readTogether.multipliedBy(2);
        for (int left = unconfirmed.size(); left > 0; left -= 2) {
            Read older = unconfirmed.removeFirst();
            unconfirmed.addLast(
                    left == 1 ? older : new Read(unconfirmed.removeFirst().upTo(), older.at()));
        }
    }

    /** How much is kept to know it. */
    int reads() {
        return unconfirmed.size();
    }

    void bodyTaken(FelderaName table) {
        routes.stream()
                .filter(route -> route.feldera().equals(table))
                .forEach(route -> of(route.postgres()).batched());
    }

    void batches(long moreAccepted, long moreCompleted) {
        accepted.addAndGet(moreAccepted);
        completed.addAndGet(moreCompleted);
    }

    /** Whether something may be in flight that a stop would have to settle. */
    boolean isStreaming() {
        Phase at = stage.phase();
        return at == Phase.STREAMING || at == Phase.DRAINING;
    }

    boolean isCopying() {
        return stage.phase() == Phase.COPYING;
    }

    void replied(long more) {
        replies.addAndGet(more);
    }

    void serverStands(Lsn walEnd, SlotStatus.Usable slot) {
        server = new Server(walEnd, slot.confirmedFlush(), slot.restart());
    }

    void walRoom(Optional<WalRoom> room) {
        walRoom = room;
    }

    /** How much more the slot may hold back, as last seen; empty where nothing limits it. Any thread. */
    Optional<WalRoom> walRoom() {
        return walRoom;
    }

    void failed(String why) {
        lastFailure = Optional.of(why);
    }

    /** The last word on positions: what is confirmed, and what a restart will replay. */
    void closes(String statement) {
        closing = Optional.of(statement);
    }

    void ended(ExitCode code) {
        exit = Optional.of(code);
        if (closing.isEmpty()) {
            Lsn confirmed = picture().confirmed();
            closes("confirmed=%s replays=\"what comes after it\""
                    .formatted(confirmed.equals(Lsn.ZERO) ? "unknown" : confirmed));
        }
        phase(Phase.STOPPED);
    }

    ConnectorStatus picture() {
        Stage shown = stage;
        Positions at = positions;
        Server head = server;
        Lsn walEnd = Lsn.later(head.walEnd(), at.received());
        // Until this process has confirmed something, the slot's own position is the one that counts.
        Lsn confirmed = Lsn.later(at.confirmed(), head.confirmed());
        return new ConnectorStatus(
                shown.phase().word(),
                shown.since(),
                shown.waitingFor().get(),
                shown.phase() == Phase.STREAMING || shown.phase() == Phase.COPYING,
                sessions.get(),
                at.received(),
                at.completed(),
                confirmed,
                walEnd,
                head.walEnd().bytesSince(head.restart()),
                walEnd.bytesSince(confirmed),
                at.oldestUnconfirmed(),
                accepted.get(),
                completed.get(),
                at.inFlight(),
                replies.get(),
                lastFailure,
                exit,
                closing,
                routes.stream()
                        .map(route -> of(route.postgres()).picture(route))
                        .toList(),
                nulled.counts());
    }
}
