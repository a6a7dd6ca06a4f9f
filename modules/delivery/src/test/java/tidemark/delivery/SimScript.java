package tidemark.delivery;

import java.util.Arrays;
import java.util.List;

/** What others do in one run, and what breaks: everything from the seed. */
final class SimScript {
    private static final List<SimPoint> POINTS = Arrays.stream(SimPoint.values())
            .filter(point -> point != SimPoint.QUERIED && point != SimPoint.COPY_BEGINS)
            .toList();

    private final Simulation run;
    private final SimWorld world;
    private final SimPostgres postgres;
    private final SimPipeline pipeline;

    SimScript(Simulation run) {
        this.run = run;
        this.world = run.world;
        this.postgres = run.postgres;
        this.pipeline = run.pipeline;
    }

    /** Before the first process starts. */
    void begin() {
        for (long left = world.between(0, 8); left > 0; left--) transaction();
        long length = world.between(5 * SimTime.SECOND, 70 * SimTime.SECOND);
        boolean flaps = world.chance(0.02);
        if (flaps) {
            flapping(length);
            length += 10 * 60 * SimTime.SECOND;
        } else if (world.chance(0.03)) {
            visit(length);
        } else {
            for (long left = world.between(0, 7); left > 0; left--) fault(length);
            if (world.losses.nextInt(8) == 0) loss(length);
        }
        workload(length);
        while (postgres.isTruncating() && world.truncates.nextInt(3) > 0) faultInTruncate(length);
        if (world.truncates.nextInt(8) == 0) writtenAnew(length);
        if (world.checks.nextInt(3) == 0) comparisons(length);
        if (world.resyncs.nextInt(3) == 0) readAgain(length);
        world.time.at(length + 1, this::end);
    }

    private void end() {
        if (world.chance(0.5)) {
            for (int i = 0; i < 3; i++) transaction();
        }
        run.calm();
    }

    // ---- what others do

    private void workload(long length) {
        long bursts = world.between(1, 12);
        for (long burst = 0; burst < bursts; burst++) {
            long at = world.between(0, length);
            for (long left = world.between(1, 6); left > 0; left--) {
                world.time.at(Math.min(at, length), this::transaction);
                at += world.chance(0.5) ? world.shortly() : world.between(0, SimTime.SECOND);
            }
        }
        every(5 * SimTime.SECOND, length, postgres::somethingElse);
        every(12 * SimTime.SECOND, length, postgres::persistSlot);
        every(20 * SimTime.SECOND, length, pipeline::checkpoint);
    }

    private void every(long atMost, long until, Runnable what) {
        for (long at = world.between(0, atMost); at < until; at += world.between(0, atMost)) world.time.at(at, what);
    }

    private void transaction() {
        postgres.commit((int) (world.chance(0.15) ? world.between(SimPromises.MAX_ROWS, 20) : world.between(1, 5)));
    }

    /** Somebody compares tables. */
    private void comparisons(long length) {
        for (int left = 1 + world.checks.nextInt(6); left > 0; left--) {
            SimTable table = postgres.tables.get(world.checks.nextInt(postgres.tables.size()));
            boolean restarts = world.checks.nextInt(6) == 0;
            long shortly = world.checks.nextLong(SimTime.MILLI, 10 * SimTime.MILLI);
            world.time.at(world.checks.nextLong(length), () -> {
                run.compare(table);
                // Often between what the comparison waits for last and its question.
                if (restarts && !world.isCalm()) world.arm(SimPoint.COMPLETED, () -> run.emptyPipeline(shortly));
            });
        }
    }

    // ---- what breaks

    private void fault(long length) {
        Runnable strike = strike();
        boolean atOnce = world.chance(0.4);
        SimPoint point = POINTS.get(world.dice.nextInt(POINTS.size()));
        world.time.at(world.between(0, length), () -> {
            if (atOnce) strike.run();
            else world.arm(point, strike);
        });
    }

    /** Once Feldera was asked for its rows, and none of them is retracted. */
    private void faultInTruncate(long length) {
        Runnable strike = whileQueried().get(world.truncates.nextInt(6));
        world.time.at(world.truncates.nextLong(length), () -> world.arm(SimPoint.QUERIED, strike));
    }

    private List<Runnable> whileQueried() {
        return List.of(
                run::crash,
                run::stop,
                postgres::sever,
                () -> run.emptyPipeline(world.between(SimTime.MILLI, 5 * SimTime.SECOND)),
                () -> pipeline.openForeignTransaction(world.between(0, 20 * SimTime.SECOND)),
                this::pause);
    }

    /** Somebody drops the slot, and what mends it may be struck, too, once Feldera was asked for its rows. */
    private void loss(long length) {
        long at = world.losses.nextLong(length);
        world.time.at(at, () -> {
            if (!postgres.hasSlot()) return;
            postgres.sever();
            postgres.dropSlot();
            world.say("PG slot dropped by somebody else");
            run.lost();
        });
        if (world.losses.nextInt(3) == 0) return;
        Runnable strike = whileQueried().get(world.losses.nextInt(6));
        world.time.at(at, () -> world.arm(SimPoint.QUERIED, strike));
    }

    /** Between the snapshot and its copy: of the first one, or of one after a while. */
    private void writtenAnew(long length) {
        long at = world.truncates.nextBoolean() ? 0 : world.truncates.nextLong(length);
        SimTable table = postgres.tables.get(world.truncates.nextInt(postgres.tables.size()));
        world.time.at(at, () -> world.arm(SimPoint.COPY_BEGINS, () -> table.writeAnew(postgres)));
    }

    /** Tables are asked for, while others and they are written to; and perhaps something breaks in the middle. */
    private void readAgain(long length) {
        for (int left = 1 + world.resyncs.nextInt(4); left > 0; left--) {
            SimTable table = postgres.tables.get(world.resyncs.nextInt(postgres.tables.size()));
            world.time.at(world.resyncs.nextLong(length), () -> {
                run.resync(table);
                if (world.resyncs.nextInt(4) == 0) {
                    world.time.in(world.resyncs.nextLong(300 * SimTime.MILLI), () -> run.cancel(table));
                }
                for (int more = world.resyncs.nextInt(12); more > 0; more--) {
                    world.time.in(world.resyncs.nextLong(500 * SimTime.MILLI), this::transaction);
                }
            });
        }
        Runnable strike = switch (world.resyncs.nextInt(4)) {
            case 0 -> () -> {};
            case 1 -> whileQueried().get(world.resyncs.nextInt(6));
            case 2 -> this::transactionsOfWholeParts;
            default -> this::strikeAtTheDifferences;
        };
        world.time.at(world.resyncs.nextLong(length), () -> world.arm(SimPoint.QUERIED, strike));
    }

    /** Of which nothing is left when they end: their end is not in a batch. */
    private void transactionsOfWholeParts() {
        world.beginStutter();
        for (int left = 12; left > 0; left--) {
            world.time.in(
                    world.resyncs.nextLong(200 * SimTime.MILLI),
                    () -> postgres.commit(SimPromises.MAX_ROWS * (1 + world.resyncs.nextInt(2))));
        }
    }

    /** When the rows are known and the first of them, often the last, is on its way. */
    private void strikeAtTheDifferences() {
        Runnable strike =
                List.<Runnable>of(run::stop, run::crash, postgres::sever).get(world.resyncs.nextInt(3));
        List<SimPoint> points = List.of(
                SimPoint.BEFORE_WRITE,
                SimPoint.AFTER_WRITE,
                SimPoint.POST_LEAVES,
                SimPoint.POST_TAKEN,
                SimPoint.POST_ANSWERED,
                SimPoint.COMPLETED);
        world.arm(points.get(world.resyncs.nextInt(points.size())), strike);
    }

    private Runnable strike() {
        int choice = world.dice.nextInt(100);
        if (choice < 21) return run::crash;
        if (choice < 34) return postgres::sever;
        if (choice < 43) return () -> postgres.restart(world.between(0, 5 * SimTime.SECOND));
        if (choice < 53) return () -> run.emptyPipeline(world.between(SimTime.MILLI, 5 * SimTime.SECOND));
        if (choice < 57) return this::killTwice;
        if (choice < 66) return this::pause;
        if (choice < 74) return () -> run.delayRequests((int) world.between(1, 3));
        if (choice < 77) return this::stick;
        if (choice < 80) return () -> pipeline.openForeignTransaction(world.between(0, 20 * SimTime.SECOND));
        if (choice < 84) return run::stop;
        if (choice < 87) return () -> run.freeze(world.between(SimTime.SECOND, 150 * SimTime.SECOND), false);
        if (choice < 92) return this::replace;
        if (choice < 95) return postgres::addColumn;
        if (choice < 96) return this::moveSlot;
        if (choice < 98) return this::moveSlotBehindTheLook;
        if (choice < 99) return postgres::truncate;
        return this::resumeOlder;
    }

    /** Between two looks. */
    private void killTwice() {
        run.emptyPipeline(world.between(SimTime.MILLI, 20 * SimTime.MILLI));
        world.time.in(40 * SimTime.MILLI, () -> run.emptyPipeline(world.between(SimTime.MILLI, 20 * SimTime.MILLI)));
    }

    private void pause() {
        long length = world.chance(0.5) ? world.between(0, 2 * SimTime.SECOND) : world.between(0, 100 * SimTime.SECOND);
        pipeline.pause(length);
    }

    private void stick() {
        pipeline.stickFor(world.between(SimTime.SECOND, 80 * SimTime.SECOND));
    }

    /** Somebody starts a second instance, and perhaps helps it to the slot. */
    private void replace() {
        run.expect(ExitCode.TEMPORARY); // whoever is frozen may have the turn
        if (world.chance(0.5)) postgres.sever();
        run.freeze(world.between(40 * SimTime.SECOND, 240 * SimTime.SECOND), true);
    }

    private void moveSlot() {
        transaction(); // which nobody has been sent
        if (postgres.moveSlot()) run.lost();
    }

    /** Before the slot is ours, when it was looked at last. */
    private void moveSlotBehindTheLook() {
        world.arm(SimPoint.SLOT_LOOKED, this::moveSlot);
    }

    private void resumeOlder() {
        run.lost();
        pipeline.kill(world.between(SimTime.MILLI, 5 * SimTime.SECOND), true);
    }

    /**
     * Somebody else posts to one of our endpoints. It must be noticed, as long as no POST of ours is lost (then it
     * could be that one) and no process dies (then nobody knows how much it had sent).
     */
    private void visit(long length) {
        world.calmDown();
        List<Runnable> harmless = List.of(postgres::sever, () -> postgres.restart(SimTime.SECOND), run::stop);
        for (long left = world.between(0, 4); left > 0; left--) {
            world.time.at(world.between(0, length), harmless.get(world.dice.nextInt(harmless.size())));
        }
        world.time.at(world.between(0, length), () -> {
            pipeline.visit(postgres.tables.get(world.dice.nextInt(postgres.tables.size())));
            run.visited();
        });
        world.time.at(length, run::stop); // the next one has to compare, if nothing was sent since
    }

    /** Connecting is not progress: it has to give up all the same. */
    private void flapping(long from) {
        world.time.at(from, () -> {
            transaction();
            run.expect(ExitCode.UNREACHABLE);
            int before = run.givenUp();
            long length = 9 * 60 * SimTime.SECOND;
            postgres.flapUntil(world.time.now() + length);
            world.time.in(length, () -> world.require(run.givenUp() > before, "it tries for ever without progress"));
        });
    }
}
