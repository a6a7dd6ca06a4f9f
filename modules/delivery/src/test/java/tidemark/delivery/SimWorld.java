package tidemark.delivery;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * What everything in one run shares: the time, the seed's dice, what is about to strike, and the log of what happened.
 * One thread; at most one process of several runs at a time.
 */
final class SimWorld {
    final SimTime time = new SimTime();
    final SplittableRandom dice;
    /** Of what is in a row: a new kind of value changes no story. */
    final SplittableRandom values;
    /** Of TRUNCATEs: a run without them is what it was before there were any. */
    final SplittableRandom truncates;
    /** Of what is lost, and whether it is mended: apart, so that seeds keep their stories. */
    final SplittableRandom losses;
    /** Of comparisons that are asked for: apart for the same reason. */
    final SplittableRandom checks;
    /** Of a table without key. */
    final SplittableRandom keyless;
    /** Of tables that are read again, apart for the same reason. */
    final SplittableRandom resyncs;
    /** How coarsely the operating system lets the process run, in nanoseconds. */
    final long grain;

    private final boolean traced;
    private final List<String> trace = new ArrayList<>();
    private final Map<SimPoint, Runnable> armed = new EnumMap<>(SimPoint.class);
    private Optional<SimViolation> violation = Optional.empty();
    private Optional<Runnable> interruption = Optional.empty();
    private boolean calm;
    private boolean inErrand;
    private boolean stutters;

    SimWorld(long seed, boolean traced) {
        this.dice = new SplittableRandom(seed);
        this.values = new SplittableRandom(~seed);
        this.losses = new SplittableRandom(Long.rotateLeft(seed, 16) + 2);
        this.keyless = new SplittableRandom(Long.rotateLeft(seed, 8) + 4);
        this.resyncs = new SplittableRandom(Long.rotateLeft(seed, 48) + 3);
        this.truncates = new SplittableRandom(Long.rotateLeft(seed, 32) + 1);
        this.checks = new SplittableRandom(Long.rotateLeft(seed, 24) + 5);
        this.traced = traced;
        this.grain = pick(2, 10, 30) * SimTime.MILLI;
    }

    @SuppressWarnings("AnnotateFormatMethod") // would add a dependency to the module
    void say(String format, Object... arguments) {
        if (traced) trace.add("%9.3f  %s".formatted(time.now() / 1e9, format.formatted(arguments)));
    }

    boolean isTraced() {
        return traced;
    }

    List<String> trace() {
        return trace;
    }

    /** The first one counts. From anywhere: it surfaces on the connector's thread. */
    @SuppressWarnings("AnnotateFormatMethod")
    void violated(String format, Object... arguments) {
        if (violation.isPresent()) return;
        String what = format.formatted(arguments);
        say("VIOLATION %s", what);
        violation = Optional.of(new SimViolation(what));
    }

    void require(boolean holds, String format, Object... arguments) {
        if (!holds) violated(format, arguments);
    }

    boolean chance(double probability) {
        return dice.nextDouble() < probability;
    }

    /** Of the network's and the servers' whims: none when all is calm. */
    boolean mischief(double probability) {
        return !calm && chance(probability);
    }

    /** Nothing is broken any more. */
    void calmDown() {
        calm = true;
        armed.clear();
    }

    /** From now on the stream pauses between two messages, also in the middle of a transaction. */
    void beginStutter() {
        stutters = true;
    }

    /** How long it pauses before the next message. */
    long stutter() {
        return stutters && !calm && resyncs.nextInt(10) == 0 ? resyncs.nextLong(300 * SimTime.MILLI) : 0;
    }

    boolean isCalm() {
        return calm;
    }

    long between(long low, long high) {
        return low >= high ? low : dice.nextLong(low, high);
    }

    long pick(long... of) {
        return of[dice.nextInt(of.length)];
    }

    /** A round trip or a small piece of work: mostly short. */
    long shortly() {
        return chance(0.8) ? between(100_000, 3 * SimTime.MILLI) : between(3 * SimTime.MILLI, 60 * SimTime.MILLI);
    }

    /** Once, the next time that this point is passed; never when all is calm. */
    void arm(SimPoint point, Runnable strike) {
        if (!calm) armed.put(point, strike);
    }

    void passed(SimPoint point) {
        if (armed.isEmpty()) return;
        Runnable strike = armed.remove(point);
        if (strike == null) return;
        say("at %s:", point);
        strike.run();
    }

    /** What the process that runs must do before anything else: die, or stand still. */
    void interrupt(Runnable how) {
        interruption = Optional.of(how);
    }

    /** Whoever it was meant for is gone. */
    void forgetInterruption() {
        interruption = Optional.empty();
    }

    /** What an errand asks is not on the connector's thread, and no time passes in it. */
    <T> T inErrand(Supplier<T> asked) {
        inErrand = true;
        try {
            return asked.get();
        } finally {
            inErrand = false;
        }
    }

    boolean isInErrand() {
        return inErrand;
    }

    /** On the connector's thread, wherever a real one could be interrupted. */
    void breathe() {
        if (inErrand) return;
        if (violation.isPresent()) throw violation.get();
        if (interruption.isEmpty()) return;
        Runnable how = interruption.get();
        interruption = Optional.empty();
        how.run();
    }

    /** The connector's thread is somewhere for so long. */
    void spend(long nanos) {
        if (inErrand) return;
        time.runUntil(time.now() + nanos);
        breathe();
    }

    /** The connector's thread waits for at most so long, or until something happened. */
    void waitFor(long nanos) {
        time.runUntil(Math.min(time.next(), time.now() + Math.max(nanos, 1)));
        breathe();
    }
}
