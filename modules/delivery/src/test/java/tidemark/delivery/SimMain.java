package tidemark.delivery;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.LongStream;

/** {@code ./dev sim}: runs seeds until one of them breaks a promise. */
final class SimMain {
    /** Held, because the logging system holds it weakly. */
    private static final Logger LOG = Logger.getLogger("tidemark");

    private SimMain() {}

    private record Wish(long from, long seeds, boolean traced, boolean mutants) {
        static Wish read(String... arguments) {
            long from = 0;
            long seeds = 1000;
            boolean traced = false;
            boolean mutants = false;
            for (int i = 0; i < arguments.length; i++) {
                switch (arguments[i]) {
                    case "--seed" -> {
                        from = Long.parseLong(arguments[++i]);
                        seeds = 1;
                    }
                    case "--from" -> from = Long.parseLong(arguments[++i]);
                    case "--seeds" -> seeds = Long.parseLong(arguments[++i]);
                    case "--trace" -> traced = true;
                    case "--mutants" -> mutants = true;
                    default ->
                        throw new IllegalArgumentException(
                                "usage: ./dev sim [--seed S [--trace]] [--from S] [--seeds N] [--mutants]");
                }
            }
            return new Wish(from, seeds, traced, mutants);
        }
    }

    public static void main(String[] arguments) {
        Wish wish = Wish.read(arguments);
        LOG.setLevel(Level.OFF);
        System.exit(wish.mutants() ? breakOnPurpose() : wish.traced() ? trace(wish.from()) : hunt(wish));
    }

    private static int breakOnPurpose() {
        int unfound = 0;
        System.out.printf("%-52s %6s %6s  %s%n", "mutant", "within", "found", "by");
        for (Mutant mutant : Mutants.ALL) {
            OptionalLong found = mutant.caughtAfter(mutant.within());
            if (found.isEmpty()) unfound++;
            System.out.printf(
                    "%-52s %6d %6s  %s%n",
                    mutant.name(),
                    mutant.within(),
                    found.isPresent() ? String.valueOf(found.getAsLong()) : "-",
                    found.isPresent() ? mutant.violation(found.getAsLong() - 1) : "NOT FOUND");
        }
        return unfound == 0 ? 0 : 1;
    }

    private static int trace(long seed) {
        Simulation simulation = Simulation.traced(seed);
        listen(simulation);
        Optional<String> violation = simulation.violation();
        simulation.trace().forEach(System.out::println);
        System.out.printf("seed %d: %s%n", seed, violation.orElse("held"));
        return violation.isPresent() ? 1 : 0;
    }

    private static void listen(Simulation simulation) {
        LOG.setLevel(Level.INFO);
        LOG.setUseParentHandlers(false);
        var text = new SimpleFormatter();
        LOG.addHandler(new Handler() {
            @Override
            public void publish(LogRecord logged) {
                simulation.world.say("tidemark: %s", text.formatMessage(logged));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
    }

    private static int hunt(Wish wish) {
        long begun = System.nanoTime();
        var broken = new AtomicInteger();
        LongStream.range(wish.from(), wish.from() + wish.seeds())
                .parallel()
                .forEach(seed -> Simulation.of(seed).violation().ifPresent(what -> {
                    broken.incrementAndGet();
                    System.out.printf("seed %d: %s%n    ./dev sim --seed %d --trace%n", seed, what, seed);
                }));
        double seconds = (System.nanoTime() - begun) / 1e9;
        System.out.printf(
                "%d seeds from %d: %d broke a promise; %.1f s, %.0f seeds a minute%n",
                wish.seeds(), wish.from(), broken.get(), seconds, wish.seeds() / seconds * 60);
        return broken.get() == 0 ? 0 : 1;
    }
}
