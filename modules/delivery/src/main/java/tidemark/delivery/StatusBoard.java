package tidemark.delivery;

import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.replication.SlotStatus;
import tidemark.sink.FelderaName;

/**
 * What the connector shows of itself. Written by the connector's thread and, for the server's positions, by the
 * monitor; read by any.
 */
final class StatusBoard {
    private record Phase(String word, Instant since, Optional<String> waitingFor) {}

    private record Positions(
            Lsn received, Lsn completed, Lsn confirmed, int inFlight, Optional<Instant> oldestUnconfirmed) {}

    private record Server(Lsn walEnd, Lsn confirmed, Lsn restart) {}

    private final InstantSource clock;
    private final Map<RelationName, TableCounters> counters = new LinkedHashMap<>();
    private final List<TableRoute> routes;
    private final AtomicLong sessions = new AtomicLong();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong completed = new AtomicLong();
    private final AtomicLong replies = new AtomicLong();
    private volatile Phase phase;
    private volatile Positions positions = new Positions(Lsn.ZERO, Lsn.ZERO, Lsn.ZERO, 0, Optional.empty());
    private volatile Server server = new Server(Lsn.ZERO, Lsn.ZERO, Lsn.ZERO);
    private volatile Optional<String> lastFailure = Optional.empty();
    private volatile Optional<ExitCode> exit = Optional.empty();
    private volatile Optional<String> closing = Optional.empty();

    StatusBoard(List<TableRoute> routes, InstantSource clock) {
        this.routes = routes;
        this.clock = clock;
        this.phase = new Phase("connecting", clock.instant(), Optional.empty());
        for (TableRoute route : routes) counters.put(route.postgres(), new TableCounters());
    }

    TableCounters of(RelationName table) {
        return counters.computeIfAbsent(table, _ -> new TableCounters());
    }

    void phase(String word) {
        phase(word, Optional.empty());
    }

    void phase(String word, String waitingFor) {
        phase(word, Optional.of(waitingFor));
    }

    /** Said again, as a wait does at every look, it began when it was first said. */
    private void phase(String word, Optional<String> waitingFor) {
        Phase before = phase;
        phase = new Phase(word, before.word().equals(word) ? before.since() : clock.instant(), waitingFor);
    }

    void waitsFor(Optional<String> what) {
        Phase now = phase;
        if (!now.waitingFor().equals(what)) phase = new Phase(now.word(), now.since(), what);
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
        boolean behind = received.isAfter(core.confirmed()) || core.inFlight() > 0;
        Optional<Instant> oldest = !behind || core.confirmed().isAfter(now.confirmed())
                ? Optional.empty()
                : now.oldestUnconfirmed().or(() -> Optional.of(clock.instant()));
        positions = new Positions(received, core.completed(), core.confirmed(), core.inFlight(), oldest);
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
        return phase.word().equals("streaming") || phase.word().equals("draining");
    }

    void replied(long more) {
        replies.addAndGet(more);
    }

    void serverStands(Lsn walEnd, SlotStatus.Usable slot) {
        server = new Server(walEnd, slot.confirmedFlush(), slot.restart());
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
        phase("stopped");
    }

    ConnectorStatus picture() {
        Phase now = phase;
        Positions at = positions;
        Server head = server;
        Lsn walEnd = Lsn.later(head.walEnd(), at.received());
        // Until this process has confirmed something, the slot's own position is the one that counts.
        Lsn confirmed = Lsn.later(at.confirmed(), head.confirmed());
        return new ConnectorStatus(
                now.word(),
                now.since(),
                now.waitingFor(),
                now.word().equals("streaming") || now.word().equals("copying"),
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
                        .toList());
    }
}
