package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.replication.SlotStatus;
import tidemark.replication.SourceSession;
import tidemark.replication.SourceSession.Received;

/**
 * Streams from the slot until the session ends, or a stop was asked for and everything is settled.
 *
 * <p>Runs on the connector's thread, which owns the replication connection: status replies leave between two turns, and
 * no turn waits for Feldera or the disk.
 */
final class Streaming {
    private static final Logger LOG = System.getLogger("tidemark.delivery");
    /**
     * Read between two status replies and looks at what came back. Not a number of messages: where they come one by
     * one, the wait for the next is most of the time.
     */
    private static final long TURN_NANOS = Duration.ofMillis(1).toNanos();
    /** Between two turns in which nothing may be read. */
    private static final Duration BREATH = Duration.ofMillis(1);
    /** PostgreSQL does not acknowledge an acknowledgement: it is read back for this long (postgres.md). */
    private static final Duration READ_BACK = Duration.ofSeconds(5);

    private final Surroundings around;
    private final SourceSession source;
    private final CoreDriver driver;
    private final Truncation truncation;
    private final Resync resync;
    private final ChangeReader reader;
    private final StreamHalt halt = new StreamHalt();
    private final Comparing comparing;
    private long replies;
    private Optional<Long> drainUntil = Optional.empty();

    private Streaming(Surroundings around, SourceSession source, ReplicationState from, List<TablePlan> plans) {
        this.around = around;
        this.source = source;
        DeliverySettings settings = around.settings();
        Outbox outbox = new Outbox(settings);
        this.driver = new CoreDriver(around, source, SlotTenure.bySlot(source.statusInterval()), outbox, from);
        this.truncation = new Truncation(around, outbox, driver);
        List<Relations.Subject> subjects = new ArrayList<>();
        for (TablePlan plan : plans) {
            RelationName name = plan.postgres();
            TableCounters counters = around.board().of(name);
            counters.standsAt(TableState.STREAMING);
            subjects.add(new Relations.Subject(plan, counters, from.table(name).orElseThrow()));
        }
        var relations = new Relations(subjects, source, around.source(), around.rows(), around.notices());
        this.reader = new ChangeReader(
                settings, relations, outbox, from.confirmed(), driver::on, truncation::begin, driver.crash());
        this.resync = new Resync(around, outbox, driver, relations, reader::received);
        this.comparing = new Comparing(around, outbox, driver, halt, reader::received);
    }

    /**
     * Returns when drained, after the last status reply; if that was because of a stop, it was read back.
     *
     * @param source started
     * @param from where each table stands, on disk already
     */
    static SessionEnd stream(Surroundings around, SourceSession source, ReplicationState from, List<TablePlan> plans) {
        LOG.log(Level.INFO, "streaming slot={0} resume_at={1}", from.origin().slot(), from.confirmed());
        around.comparisons().giveUp("the stream began anew");
        Streaming streaming = new Streaming(around, source, from, plans);
        around.resyncs().streams(plans);
        around.board().phase(Phase.STREAMING); // whoever sees it may ask for anything
        try (Truncation _ = streaming.truncation;
                Resync _ = streaming.resync;
                Comparing _ = streaming.comparing) {
            while (!streaming.driver.isDrained()) streaming.turn();
            return streaming.end();
        } finally {
            around.resyncs().streamEnded();
        }
    }

    private SessionEnd end() {
        if (drainUntil.isEmpty()) return goBack();
        finish();
        return SessionEnd.STOPPED;
    }

    private void turn() {
        boolean waited = readSome();
        driver.settle(waited ? Duration.ZERO : BREATH);
        truncation.turn();
        comparing.turn(notNow());
        if (!truncation.isUnderWay() && drainUntil.isEmpty() && !comparing.holds()) resync.turn();
        stopIfAsked();
        reply();
        around.resyncs().received(reader.received()).ifPresent(this::caughtUp);
        around.board().show(reader.received(), driver.core());
        around.board().waitsFor(driver.waitingFor().or(truncation::waitingFor).or(comparing::waitingFor));
    }

    /** Why no comparison may begin. */
    private Optional<String> notNow() {
        if (drainUntil.isPresent()) return Optional.of("the service stops");
        if (resync.isUnderWay()) return Optional.of("the service reads a table again");
        return truncation.isUnderWay() ? Optional.of("the service carries out a TRUNCATE") : Optional.empty();
    }

    /** Returns whether there was something to read or a wait for it; without that the turn must wait elsewhere. */
    private boolean readSome() {
        if (!mayRead()) return false;
        long begun = around.now();
        for (long now = begun; now - begun < TURN_NANOS && mayRead(); now = around.now()) {
            if (reader.owes()) {
                reader.pay(now);
                continue;
            }
            switch (halt.poll(source::poll)) {
                case Received.Nothing() -> {
                    return true;
                }
                case Received.WalMessage message -> reader.read(message, now);
                case Received.Keepalive(Lsn walEnd) -> reader.keptAlive(walEnd);
            }
        }
        return true;
    }

    private boolean mayRead() {
        return !truncation.isUnderWay()
                && !resync.stopsReading()
                && driver.core().wantsMore()
                && (reader.owes() || !halt.stands());
    }

    private void reply() {
        source.positions(reader.received(), driver.core().confirmed());
        source.heartbeat(around.now());
        around.board().replied(source.statusReplies() - replies);
        driver.crash().replied(source.statusReplies() - replies);
        replies = source.statusReplies();
    }

    private void stopIfAsked() {
        if (drainUntil.isEmpty() && around.stopAsked().getAsBoolean()) {
            around.board().phase(Phase.DRAINING);
            drainUntil =
                    Optional.of(around.now() + around.settings().stopBudget().toNanos());
            truncation.close();
            comparing.close();
            around.comparisons().giveUp("the service stops");
            resync.stop();
            driver.on(new Event.DrainAsked());
        }
        if (drainUntil.isPresent() && !driver.isDrained() && around.now() - drainUntil.get() >= 0) {
            String closing = "confirmed=%s replays=\"what comes after it\" batches_in_flight=%d"
                    .formatted(driver.core().confirmed(), driver.core().inFlight());
            around.board().closes(closing);
            throw new SessionOver(new Failure.Permanent(
                    ExitCode.TEMPORARY, "stop.budget is over: " + closing, "Start it again: nothing is lost."));
        }
    }

    private void caughtUp(RelationName table) {
        LOG.log(Level.INFO, "caught up table={0} received={1}", table, reader.received());
    }

    /** A table was read again, and what it lacks since lies behind the position that was held. */
    private SessionEnd goBack() {
        LOG.log(
                Level.INFO,
                "going back from={0} to={1}",
                reader.received(),
                driver.core().confirmed());
        reply();
        resync.conclude(settled(), around.store()::write);
        source.finish(); // so that the slot is free
        return SessionEnd.GOES_BACK;
    }

    private ReplicationState settled() {
        return around.catalog().seenBy(driver.state()).counting(around.counts());
    }

    /**
     * The last status reply, and the confirmed position read back from the server: one closing line says what a restart
     * replays.
     */
    private void finish() {
        Lsn confirmed = driver.core().confirmed();
        reply();
        source.finish();
        ReplicationState last = settled();
        boolean clean = around.ghosts().leavesNothing(around.now())
                && around.counts().isExact(last.target().incarnation());
        resync.conclude(last.stoppedClean(clean), around.store()::write);
        long deadline = around.now() + READ_BACK.toNanos();
        SlotStatus slot = around.source().slot();
        while (!stands(slot, confirmed) && around.now() - deadline < 0) {
            around.errands().next(BREATH.multipliedBy(20));
            slot = around.source().slot();
        }
        boolean all = stands(slot, confirmed);
        around.board().closes(closing(confirmed, slot));
        LOG.log(all ? Level.INFO : Level.WARNING, "stopped {0}", closing(confirmed, slot));
    }

    private String closing(Lsn confirmed, SlotStatus slot) {
        if (stands(slot, confirmed)) {
            return "confirmed_flush_lsn=%s replays=%s".formatted(confirmed, replays());
        }
        return slot instanceof SlotStatus.Usable usable
                ? "confirmed=%s confirmed_flush_lsn=%s replays=\"what lies between\""
                        .formatted(confirmed, usable.confirmedFlush())
                : "confirmed=%s confirmed_flush_lsn=unknown replays=\"what the server does not know to be confirmed\""
                        .formatted(confirmed);
    }

    private String replays() {
        if (driver.core().isHeld()) return "\"what comes after it, for the table that was read again\"";
        return driver.core().hasSentPart() ? "\"the transaction that was open, of which a part was sent\"" : "nothing";
    }

    private static boolean stands(SlotStatus slot, Lsn confirmed) {
        return slot instanceof SlotStatus.Usable(Lsn at, var _, var _) && !confirmed.isAfter(at);
    }
}
