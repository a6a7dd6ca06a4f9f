package tidemark.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.replication.Snapshot;

/**
 * Compares tables beside the stream, one after the other ({@link Comparisons}, docs/adr/0018). Between two transactions
 * the stream stands still while a snapshot is made, at L; then it is read up to just L, what was sent is complete, and
 * Feldera is asked. With the first row of its answer the stream goes on, and the two are compared off the loop.
 *
 * <p>Owned by the connector's thread, which calls {@link #turn} and never waits here: the status replies go on. A crash
 * loses the result and nothing else.
 */
final class Comparing implements AutoCloseable {
    private static final Logger LOG = System.getLogger("tidemark.delivery");
    /**
     * A snapshot waits for older transactions, and nothing is read meanwhile: as long as the longest status interval.
     */
    static final Duration SNAPSHOT_PATIENCE = Duration.ofSeconds(10);

    private sealed interface Step {
        record Idle() implements Step {}

        /** The stream flows. */
        record Looking(Errand.Answer<TableBeside.Looked> answer) implements Step {}

        /** Until no transaction is open. */
        record Stopping(TableBeside.Looked looked) implements Step {}

        record Imaging(TableBeside.Looked looked, Errand.Answer<Snapshot> answer, long sinceNanos) implements Step {}

        record Reading(TableBeside.Looked looked, Snapshot snapshot) implements Step {}

        /** Until all that was read is accepted. */
        record Sending(TableBeside.Looked looked, Snapshot snapshot) implements Step {}

        record Covering(TableBeside.Looked looked, Snapshot snapshot, Covered covered) implements Step {}

        record Asking(ComparedBeside both, Errand.Answer<Boolean> answer) implements Step {}

        /** The stream flows. */
        record Reckoning(ComparedBeside both, Errand.Answer<TableFindings> answer) implements Step {}
    }

    private record Subject(RelationName name, TableBeside beside) {}

    private final Surroundings around;
    private final Outbox outbox;
    private final CoreDriver driver;
    private final StreamHalt halt;
    private final Supplier<Lsn> received;
    private Optional<Subject> subject = Optional.empty();
    private Step step = new Step.Idle();
    private long heldNanos;
    private long seenNanos;

    /** @param received everything below was read */
    Comparing(Surroundings around, Outbox outbox, CoreDriver driver, StreamHalt halt, Supplier<Lsn> received) {
        this.around = around;
        this.outbox = outbox;
        this.driver = driver;
        this.halt = halt;
        this.received = received;
    }

    /**
     * Goes on as far as it can. Whatever fails is the end of the comparison, and not of the session.
     *
     * @param notNow why none may begin
     */
    void turn(Optional<String> notNow) {
        long now = around.now();
        if (halt.stands()) heldNanos += now - seenNanos;
        seenNanos = now;
        switch (step) {
            case Step.Idle() -> around.comparisons().next().ifPresent(name -> begin(name, notNow));
            case Step.Looking(var answer) -> outcome(answer).ifPresent(this::stop);
            case Step.Stopping(var looked) -> {
                if (halt.stands()) image(looked);
            }
            case Step.Imaging(var looked, var answer, long since) -> {
                outcome(answer).ifPresent(snapshot -> readUpTo(looked, snapshot));
                if (!answer.isThere() && now - since >= SNAPSHOT_PATIENCE.toNanos()) waitedTooLong();
            }
            case Step.Reading(var looked, var snapshot) -> {
                if (halt.stands()) goOn(new Step.Sending(looked, snapshot));
            }
            case Step.Sending(var looked, var snapshot) -> send(looked, snapshot);
            case Step.Covering(var looked, var snapshot, Covered covered) -> cover(looked, snapshot, covered);
            case Step.Asking(var both, var answer) -> outcome(answer).ifPresent(_ -> reckon(both));
            case Step.Reckoning(var _, var answer) -> outcome(answer).ifPresent(this::compared);
        }
    }

    private void goOn(Step next) {
        step = next;
        around.comparisons().became(name(), new VerifyState.UnderWay(doing()));
    }

    private void begin(RelationName name, Optional<String> notNow) {
        Optional<ReplicationState.Table> stands = driver.state().table(name);
        if (notNow.isPresent() || stands.isEmpty()) {
            String why = notNow.orElse("the service does not stream this table");
            around.comparisons().became(name, Comparisons.notCompared(why));
            return;
        }
        heldNanos = 0;
        var beside = new TableBeside(around, driver.state().origin(), stands.get());
        subject = Optional.of(new Subject(name, beside));
        goOn(new Step.Looking(around.errands().ask(beside::lookToCompare)));
    }

    private void stop(TableBeside.Looked looked) {
        halt.atBoundary();
        goOn(new Step.Stopping(looked));
    }

    private void image(TableBeside.Looked looked) {
        TableBeside beside = subject.orElseThrow().beside();
        goOn(new Step.Imaging(looked, around.errands().ask(() -> beside.snapshot(looked)), around.now()));
    }

    private void waitedTooLong() {
        notCompared(Comparisons.notCompared("a snapshot would have to wait longer than %s for %s"
                .formatted(
                        SNAPSHOT_PATIENCE,
                        subject.orElseThrow()
                                .beside()
                                .waitsFor()
                                .orElse("older transactions, of which PostgreSQL names none"))));
    }

    private void readUpTo(TableBeside.Looked looked, Snapshot snapshot) {
        Lsn at = snapshot.consistentPoint();
        if (received.get().isAfter(at)) {
            notCompared(Comparisons.notCompared("the snapshot at %s is older than what was read".formatted(at)));
            return;
        }
        LOG.log(Level.INFO, "comparing table={0} lsn={1}", name(), at);
        halt.upTo(at);
        goOn(new Step.Reading(looked, snapshot));
    }

    private void send(TableBeside.Looked looked, Snapshot snapshot) {
        outbox.close();
        if (!driver.hasSentAll()) return;
        goOn(new Step.Covering(looked, snapshot, driver.covered(looked.plan(), "compared")));
    }

    /** If it fails, the array that was lost is an empty one; that the pipeline has another life is seen without it. */
    private void cover(TableBeside.Looked looked, Snapshot snapshot, Covered covered) {
        boolean complete;
        try {
            complete = covered.isComplete();
        } catch (RuntimeException failed) {
            notCompared(failed);
            return;
        }
        if (complete) ask(looked, snapshot);
    }

    private void ask(TableBeside.Looked looked, Snapshot snapshot) {
        String life = driver.state().target().incarnation();
        var both = new ComparedBeside(around, looked.plan(), snapshot);
        goOn(new Step.Asking(both, around.errands().ask(() -> {
            both.ask(life);
            return true;
        })));
    }

    private void reckon(ComparedBeside both) {
        halt.release();
        LOG.log(Level.INFO, "stream goes on table={0} held_ms={1}", name(), Long.toString(heldMillis()));
        goOn(new Step.Reckoning(both, around.errands().ask(both::compare)));
    }

    private void compared(TableFindings found) {
        LOG.log(
                found.areNone() ? Level.INFO : Level.WARNING,
                "compared table={0} {1} held_ms={2}",
                name(),
                found.counted(),
                Long.toString(heldMillis()));
        end(new VerifyState.Compared(found, Duration.ofMillis(heldMillis())));
    }

    private long heldMillis() {
        return Duration.ofNanos(heldNanos).toMillis();
    }

    /** What an errand brought; empty while it is under way, and if it failed, which is the end of it. */
    private <T> Optional<T> outcome(Errand.Answer<T> answer) {
        if (!answer.isThere()) return Optional.empty();
        try {
            return Optional.of(answer.get());
        } catch (RuntimeException failed) { // whatever it is, it is no reason to end the stream
            notCompared(failed);
            return Optional.empty();
        }
    }

    private void notCompared(RuntimeException failed) {
        Failure why = FailurePolicy.of(failed);
        ExitCode exit = why instanceof Failure.Transient ? ExitCode.TEMPORARY : FailurePolicy.exitAtOnce(why);
        notCompared(new VerifyState.NotCompared(exit, why.what(), why.remedy()));
    }

    private void notCompared(VerifyState.NotCompared outcome) {
        LOG.log(
                Level.WARNING,
                "not compared table={0} why=\"{1}\" remedy=\"{2}\" held_ms={3}",
                name(),
                outcome.why(),
                outcome.remedy(),
                Long.toString(heldMillis()));
        end(outcome);
    }

    private void end(VerifyState outcome) {
        around.comparisons().became(name(), outcome);
        close();
    }

    private RelationName name() {
        return subject.orElseThrow().name();
    }

    /** Whether the stream stands still for it, or is about to: nothing else may begin that makes it wait. */
    boolean holds() {
        return switch (step) {
            case Step.Idle _, Step.Reckoning _ -> false;
            case Step.Looking _,
                    Step.Stopping _,
                    Step.Imaging _,
                    Step.Reading _,
                    Step.Sending _,
                    Step.Covering _,
                    Step.Asking _ -> true;
        };
    }

    /** For {@code /status}, while the stream stands still. */
    Optional<String> waitingFor() {
        return halt.stands() ? Optional.of(doing()) : Optional.empty();
    }

    private String doing() {
        String what = subject.map(of -> "the comparison of " + of.name()).orElse("a comparison");
        return switch (step) {
            case Step.Idle() -> what;
            case Step.Looking _ -> "a look at both ends for " + what;
            case Step.Stopping _ -> "the end of a transaction for " + what;
            case Step.Imaging _ -> "older transactions to end, and a snapshot for " + what;
            case Step.Reading _ -> "the stream to come to the snapshot for " + what;
            case Step.Sending _ -> "acceptance of what comes before " + what;
            case Step.Covering _ -> "completion of what comes before " + what;
            case Step.Asking _ -> "Feldera's first row for " + what;
            case Step.Reckoning _ -> "the end of " + what;
        };
    }

    /** Lets go of both ends, off the loop, as PostgreSQL is asked to cancel what is under way. */
    @Override
    public void close() {
        Optional<ComparedBeside> both = switch (step) {
            case Step.Asking(ComparedBeside asked, var _) -> Optional.of(asked);
            case Step.Reckoning(ComparedBeside asked, var _) -> Optional.of(asked);
            case Step.Idle _,
                    Step.Looking _,
                    Step.Stopping _,
                    Step.Imaging _,
                    Step.Reading _,
                    Step.Sending _,
                    Step.Covering _ -> Optional.empty();
        };
        subject.ifPresent(of -> around.errands().ask(() -> {
            both.ifPresent(ComparedBeside::close);
            of.beside().close();
            return of;
        }));
        subject = Optional.empty();
        step = new Step.Idle();
        halt.release();
    }
}
