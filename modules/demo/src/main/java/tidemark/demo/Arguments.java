package tidemark.demo;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tidemark.delivery.ExitCode;

/**
 * What the command line asks for.
 *
 * @param workloadFor how long the workload writes; with a given source, how long the view shows before the proof
 * @param changesPerSecond at most; the one large transaction comes on top
 * @param seed of the workload: the same seed writes the same rows
 * @param kills whether the service is killed once in mid-workload
 * @param distribution the unpacked distribution of the service
 */
record Arguments(
        Source source,
        Destination destination,
        Duration workloadFor,
        int changesPerSecond,
        long seed,
        boolean kills,
        Path distribution) {

    static final String USAGE = """
            usage: dev demo [--for 30s] [--rate N] [--seed S] [--no-kill]
                            [--feldera URL --pipeline NAME [--postgres URL --tables a,b:B [--publication NAME]]]

            Starts PostgreSQL, a stand-in for Feldera and the service, writes rows, kills the service once, and compares
            every row of both sides at the end.

              --for 30s            how long rows are written (ms, s, m or h)
              --rate 1500          changes per second, at most
              --seed 1             the same seed writes the same rows
              --no-kill            do not kill the service
              --feldera URL        this Feldera instead of the stand-in (its API key: FELDERA_API_KEY)
              --pipeline NAME      this pipeline; without --postgres it is created if there is none of that name
              --postgres URL       this database instead of the embedded one (POSTGRES_USER, POSTGRES_PASSWORD); nothing is
                                   written to its tables: the service copies and follows them, then they are compared
              --tables a,b:B       which tables, as in the service's own configuration
              --publication NAME   an existing publication of these tables [tidemark]
            """;

    private static final Set<String> WITH_VALUE = Set.of(
            "--for",
            "--rate",
            "--seed",
            "--feldera",
            "--pipeline",
            "--postgres",
            "--tables",
            "--publication",
            "--distribution");
    private static final Pattern DURATION = Pattern.compile("(\\d{1,6})(ms|s|m|h)");

    /** Where the rows come from. */
    sealed interface Source {
        /** An embedded PostgreSQL with the demo's own tables and workload. */
        record Embedded() implements Source {}

        /** Somebody's database, of which nothing is written but a replication slot that is dropped again. */
        record Given(String url, String tables, String publication) implements Source {}
    }

    /** Where the rows go. */
    sealed interface Destination {
        /** The stand-in, in a process of its own. */
        record Standin() implements Destination {}

        record Given(URI url, String pipeline) implements Destination {}
    }

    /** @throws DemoFailure {@link ExitCode#USAGE} */
    static Arguments parse(List<String> words) {
        Map<String, String> options = new HashMap<>();
        Deque<String> left = new ArrayDeque<>(words);
        while (!left.isEmpty()) {
            String option = left.removeFirst();
            if (WITH_VALUE.contains(option)) {
                if (left.isEmpty()) throw usage(option + " needs a value");
                options.put(option, left.removeFirst());
            } else if (option.equals("--no-kill")) {
                options.put(option, "");
            } else {
                throw usage("unknown option '%s'".formatted(option));
            }
        }
        Destination destination = destination(options);
        return new Arguments(
                source(options, destination),
                destination,
                duration(options.getOrDefault("--for", "30s")),
                Math.toIntExact(number(options, "--rate", 1500, 1, 1_000_000)),
                number(options, "--seed", 1, Long.MIN_VALUE, Long.MAX_VALUE),
                !options.containsKey("--no-kill"),
                Path.of(options.getOrDefault("--distribution", "modules/app/target/tidemark")));
    }

    private static Source source(Map<String, String> options, Destination destination) {
        Optional<String> url = Optional.ofNullable(options.get("--postgres"));
        Optional<String> tables = Optional.ofNullable(options.get("--tables"));
        if (url.isEmpty()) {
            if (tables.isPresent()) throw usage("--tables belongs to --postgres: the embedded database has its own");
            if (options.containsKey("--publication")) throw usage("--publication belongs to --postgres");
            return new Source.Embedded();
        }
        if (destination instanceof Destination.Standin) {
            throw usage("--postgres needs --feldera and --pipeline: the stand-in holds only the demo's own tables");
        }
        return new Source.Given(
                url.get(),
                tables.orElseThrow(() -> usage("--postgres needs --tables: which ones to follow and compare")),
                options.getOrDefault("--publication", "tidemark"));
    }

    private static Destination destination(Map<String, String> options) {
        Optional<String> url = Optional.ofNullable(options.get("--feldera"));
        Optional<String> pipeline = Optional.ofNullable(options.get("--pipeline"));
        if (url.isEmpty() && pipeline.isEmpty()) return new Destination.Standin();
        if (url.isEmpty() || pipeline.isEmpty()) throw usage("--feldera and --pipeline go together");
        try {
            URI address = URI.create(url.get().replaceAll("/+$", ""));
            if (!"http".equals(address.getScheme()) && !"https".equals(address.getScheme())) {
                throw usage("--feldera must be an http or https URL");
            }
            return new Destination.Given(address, pipeline.get());
        } catch (IllegalArgumentException e) {
            throw new DemoFailure(ExitCode.USAGE, "--feldera is not a URL", e);
        }
    }

    private static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) throw usage("--for '%s' is not a duration such as 30s or 2m".formatted(text));
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }

    private static long number(Map<String, String> options, String option, long otherwise, long least, long most) {
        String text = options.getOrDefault(option, Long.toString(otherwise));
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) return value;
        } catch (NumberFormatException _) {
            // said below, as for a number out of range
        }
        throw usage("%s '%s' is not a whole number from %d to %d".formatted(option, text, least, most));
    }

    private static DemoFailure usage(String message) {
        return new DemoFailure(ExitCode.USAGE, message);
    }
}
