package tidemark.delivery;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tidemark.delivery.DeliverySettings.OnStateLoss;
import tidemark.delivery.DeliverySettings.SnapshotMode;

/**
 * One seed: the real core between a scripted PostgreSQL and a scripted Feldera, in virtual time, through whatever
 * {@link SimScript} makes of the seed, until all is calm and both sides must be equal.
 */
final class Simulation {
    /** Nothing that a session waits for takes as long. */
    private static final long CALM_LIMIT = 900 * SimTime.SECOND;

    /** The run is over before its end: the script made Tidemark stop for a person. */
    private static final class Ended extends Error {
        private static final long serialVersionUID = 1;
    }

    final SimWorld world;
    final SimPostgres postgres;
    final SimPipeline pipeline;
    private final SimDisk disk = new SimDisk();
    private final SimPromises promises;
    private final SnapshotMode mode;
    private final DeliverySettings settings;
    private final Set<ExitCode> expected = EnumSet.of(ExitCode.DRAINED);
    private Optional<SimProcess> current = Optional.empty();
    private boolean settled;
    private boolean somebodySleeps;
    private int givenUp;
    private boolean visited;
    /** Whoever starts it next does once what the last one asked for: {@code snapshot.on-state-loss=resnapshot}. */
    private boolean heeded;

    private Simulation(long seed, boolean traced) {
        world = new SimWorld(seed, traced);
        postgres = new SimPostgres(world, 1 + world.dice.nextInt(3));
        pipeline = new SimPipeline(world, postgres.tables);
        boolean neverCopies = world.values.nextInt(20) == 0;
        promises = new SimPromises(world, postgres, pipeline, disk, neverCopies);
        mode = neverCopies ? SnapshotMode.NEVER : SnapshotMode.INITIAL;
        settings = settings(world.losses.nextBoolean() ? OnStateLoss.RESNAPSHOT : OnStateLoss.STOP);
        postgres.watchedBy(promises);
        if (world.truncates.nextInt(3) == 0) postgres.truncatesNowAndThen();
        if (neverCopies) {
            postgres.seldomLeavesAlone();
            expect(ExitCode.DATA);
        }
    }

    private DeliverySettings settings(OnStateLoss onStateLoss) {
        return SimProcess.settings(world, postgres.tables, mode, onStateLoss);
    }

    static Simulation of(long seed) {
        return new Simulation(seed, false);
    }

    static Simulation traced(long seed) {
        return new Simulation(seed, true);
    }

    /** What did not hold; empty when everything did. */
    Optional<String> violation() {
        try {
            new SimScript(this).begin();
            live();
        } catch (Ended _) {
            return visited && !settings.mends() ? whatGoesOn() : Optional.empty();
        } catch (SimViolation found) {
            return Optional.of(String.valueOf(found.getMessage()));
        }
        return Optional.empty();
    }

    /** What stopped because of somebody else's rows must not go on because it was started again. */
    private Optional<String> whatGoesOn() {
        try {
            while (!settled) runOnce(Long.MAX_VALUE); // the script may still stop it before it can tell
        } catch (Ended _) {
            return Optional.empty();
        } catch (SimViolation found) {
            return Optional.of(String.valueOf(found.getMessage()));
        }
        return Optional.of("somebody else's rows are taken for ours once it was started again");
    }

    /** As {@link #violation()}, for a mutant's class loader: null when everything held. */
    static String violationOf(long seed) {
        return of(seed).violation().orElse("");
    }

    List<String> trace() {
        return world.trace();
    }

    private void live() {
        while (!settled) {
            runOnce(Long.MAX_VALUE);
            // Stopped in the middle of a POST: nobody can know any more.
            if (visited && disk.content().filter(state -> !state.clean()).isPresent()) return;
            pass(world.between(20 * SimTime.MILLI, 3 * SimTime.SECOND));
        }
        promises.unsettled().ifPresent(what -> world.violated("stopped drained, but %s", what));
        world.breathe();
    }

    /** A supervisor starts it, and it ends somehow. */
    private void runOnce(long diesAt) {
        DeliverySettings chosen = heeded ? settings(OnStateLoss.RESNAPSHOT) : settings;
        heeded = false;
        var process =
                new SimProcess(world, chosen, postgres, pipeline, promises, new SimStateStore(disk, promises::writes));
        Optional<SimProcess> outer = current;
        current = Optional.of(process);
        if (diesAt < Long.MAX_VALUE) {
            world.time.at(diesAt, () -> {
                if (current.filter(running -> running == process).isPresent()) crash();
            });
        }
        try {
            world.say("process starts");
            ended(process, process.run());
        } catch (SimulatedCrash _) {
            world.say("process died");
        } finally {
            current = outer;
        }
    }

    private void ended(SimProcess process, ExitCode code) {
        world.say("process ends: %s", code);
        world.breathe();
        switch (code) {
            case DRAINED -> world.require(process.isAskedToStop(), "it ended without being asked to");
            case UNREACHABLE -> {
                givenUp++;
                world.require(expected.contains(code), "it gave up");
            }
            case TEMPORARY ->
                world.require(process.isAskedToStop() || expected.contains(code), "it ended with %s", code);
            case DATA, CONFIGURATION -> {
                world.require(expected.contains(code), "it ended with %s", code);
                world.breathe();
                heeded = code == ExitCode.CONFIGURATION && mode != SnapshotMode.NEVER && !settings.mends() && !visited;
                if (!heeded) throw new Ended();
            }
            case BROKEN_INVARIANT, PROTOCOL, CREDENTIALS, DIFFERENT, USAGE -> world.violated("it ended with %s", code);
        }
        world.breathe();
    }

    // ---- what the script does

    /** The script has a reason for it from now on. */
    void expect(ExitCode code) {
        expected.add(code);
    }

    /** Somebody else has posted: from now on it must stop for a person, or mend it. */
    void visited() {
        visited = true;
        promises.visited();
        lost();
    }

    /** Something is lost that the stream goes on from: read again, or left to a person. */
    void lost() {
        promises.lost();
        if (!settings.mends()) expect(ExitCode.CONFIGURATION);
    }

    /** The pipeline dies and comes back empty: read again, or left to a person. */
    void emptyPipeline(long nanos) {
        if (!settings.mends()) expect(ExitCode.CONFIGURATION);
        pipeline.kill(nanos, false);
    }

    int givenUp() {
        return givenUp;
    }

    void crash() {
        world.interrupt(() -> {
            throw new SimulatedCrash();
        });
    }

    void stop() {
        promises.stops();
        current.ifPresent(SimProcess::askToStop);
    }

    void compare(SimTable table) {
        current.ifPresent(process -> process.compare(table));
    }

    /** How many came to their end. */
    int comparisons() {
        return promises.comparisons();
    }

    /** Somebody asks for the table to be read again. */
    void resync(SimTable table) {
        current.ifPresent(process -> {
            ResyncReply reply = process.resync(table);
            world.say("resync of %s: %s", table.postgres, reply);
            if (reply instanceof ResyncReply.Accepted) promises.askedFor(table);
        });
    }

    /** Somebody wants it not to be read again after all. */
    void cancel(SimTable table) {
        current.ifPresent(process -> {
            CancelReply reply = process.cancel(table);
            world.say("cancel of %s: %s", table.postgres, reply);
            if (reply instanceof CancelReply.Cancelled) promises.cancelled(table);
        });
    }

    void delayRequests(int requests) {
        current.ifPresent(process -> process.workers().delay(requests));
    }

    /**
     * The process stands still, and its network does not. One at a time: its successor runs on the same stack, and must
     * not outlive its sleep.
     */
    void freeze(long nanos, boolean succeeded) {
        world.interrupt(() -> {
            if (somebodySleeps) return;
            somebodySleeps = true;
            SimProcess frozen = current.orElseThrow();
            long wakes = world.time.now() + nanos;
            world.say("process freezes until %d s", wakes / SimTime.SECOND);
            frozen.workers().freeze();
            if (succeeded) runOnce(wakes);
            pass(wakes - world.time.now());
            world.say("process wakes up");
            somebodySleeps = false;
            promises.stoodStill();
            frozen.workers().thaw();
        });
    }

    /** Time passes while nothing of ours runs. */
    private void pass(long nanos) {
        world.time.runUntil(world.time.now() + nanos);
        world.forgetInterruption();
        world.breathe();
    }

    /** From now on nothing is broken: it has to settle. */
    void calm() {
        world.say("calm");
        world.calmDown();
        world.time.in(CALM_LIMIT, () -> world.violated("never settles: %s", promises.unsettled()));
        lookWhetherSettled();
    }

    private void lookWhetherSettled() {
        settled = pipeline.isUntroubled() && promises.unsettled().isEmpty();
        if (settled) stop();
        world.time.in(SimTime.SECOND, this::lookWhetherSettled); // whoever wakes up then has to stop, too
    }
}
