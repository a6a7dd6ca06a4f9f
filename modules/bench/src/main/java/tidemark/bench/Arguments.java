package tidemark.bench;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/**
 * What the command line asks for.
 *
 * @param rows of each workload, a multiple of {@link Workload#CHANGES_PER_TRANSACTION}
 * @param runs rounds of each workload; every contestant reads the same backlog once a round
 * @param heap of each contestant, as {@code -Xmx} takes it
 */
record Arguments(List<Workload> workloads, long rows, int runs, String heap, Pace pace) {
    /**
     * Of the steady workload.
     *
     * @param perSecond transactions, of one row each
     * @param linger of the connector
     */
    record Pace(int perSecond, Duration length, Duration linger) {
        int rows() {
            return Math.toIntExact(perSecond * length.toSeconds());
        }
    }

    static final String USAGE = """
            usage: dev bench [--workload W1,W3,W5] [--rows 1000000] [--runs 3] [--xmx 512m]
                   dev bench --workload steady [--pace 2000] [--seconds 60] [--linger 50] [--xmx 512m]

            Measures the connector, with its defaults and in a process of its own, from PostgreSQL into a Feldera that
            only counts, beside a bare reader of the same backlog in the same round.

              W1   one transaction of all the rows, 6 columns
              W3   70 % update, 20 % insert, 10 % delete, in transactions of 100 changes
              W5   the first copy of a table; the bare reader is COPY … TO STDOUT

              STEADY  commits of one row at an even pace, without a bare reader: POSTs used, and how long it takes from
                   a commit until the connector hears that Feldera completed it

              --rows N     rows or changes of each workload, a multiple of 100
              --runs N     rounds; medians are over the rounds
              --xmx SIZE   the heap of each contestant
              --pace N     transactions a second
              --seconds N  for how long
              --linger MS  batch.linger-ms; 0 is a flush for each transaction
            """;

    private static final long MOST_ROWS = 100_000_000;
    private static final int MOST_RUNS = 99;
    private static final int MOST_PER_SECOND = 100_000;
    private static final int MOST_SECONDS = 600;
    private static final int MOST_LINGER_MILLIS = 60_000;

    /** @throws IllegalArgumentException with what is wrong, for a person */
    static Arguments parse(List<String> words) {
        List<Workload> workloads = Workload.THROUGHPUT;
        long rows = 1_000_000;
        int runs = 3;
        String heap = "512m";
        int perSecond = 2000;
        int seconds = 60;
        int lingerMillis = 50;
        Deque<String> left = new ArrayDeque<>(words);
        while (!left.isEmpty()) {
            String option = left.removeFirst();
            switch (option) {
                case "--workload" -> workloads = workloads(valueOf(option, left));
                case "--rows" -> rows = rows(valueOf(option, left));
                case "--runs" -> runs = number(option, left, 1, MOST_RUNS);
                case "--pace" -> perSecond = number(option, left, 1, MOST_PER_SECOND);
                case "--seconds" -> seconds = number(option, left, 1, MOST_SECONDS);
                case "--linger" -> lingerMillis = number(option, left, 0, MOST_LINGER_MILLIS);
                case "--xmx" -> heap = heap(valueOf(option, left));
                default -> throw new IllegalArgumentException("unknown option '%s'".formatted(option));
            }
        }
        var pace = new Pace(perSecond, Duration.ofSeconds(seconds), Duration.ofMillis(lingerMillis));
        return new Arguments(workloads, rows, runs, heap, pace);
    }

    private static String valueOf(String option, Deque<String> left) {
        if (left.isEmpty()) throw new IllegalArgumentException(option + " needs a value");
        return left.removeFirst();
    }

    private static List<Workload> workloads(String names) {
        return Arrays.stream(names.split(",", -1))
                .map(name -> Arrays.stream(Workload.values())
                        .filter(workload -> workload.name().equals(name.strip().toUpperCase(Locale.ROOT)))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "--workload '%s' is none of W1, W3, W5, STEADY".formatted(name))))
                .distinct()
                .toList();
    }

    private static long rows(String text) {
        long rows = number("--rows", text, 1, MOST_ROWS);
        if (rows % Workload.CHANGES_PER_TRANSACTION == 0) return rows;
        throw new IllegalArgumentException(
                "--rows must be a multiple of %d".formatted(Workload.CHANGES_PER_TRANSACTION));
    }

    private static int number(String option, Deque<String> left, int least, int most) {
        return Math.toIntExact(number(option, valueOf(option, left), least, most));
    }

    private static long number(String option, String text, long least, long most) {
        if (text.matches("[0-9]{1,12}")) {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) return value;
        }
        throw new IllegalArgumentException("%s must be a number from %d to %d".formatted(option, least, most));
    }

    private static String heap(String size) {
        if (size.matches("[1-9][0-9]{0,6}[kKmMgG]")) return size;
        throw new IllegalArgumentException("--xmx '%s' is not a size such as 512m".formatted(size));
    }
}
