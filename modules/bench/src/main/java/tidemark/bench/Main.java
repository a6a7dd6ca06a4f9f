package tidemark.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import tidemark.decode.Lsn;
import tidemark.delivery.ExitCode;

/**
 * The bench's command line. Each workload is written once; then, round by round, the contestants read it one after the
 * other, each first in every other round: an even number of rounds favours neither.
 */
public final class Main {
    private final Arguments arguments;
    private final Backlogs backlogs;
    private final NullFeldera feldera;
    private final Path directory;

    private Main(Arguments arguments, Backlogs backlogs, NullFeldera feldera, Path directory) {
        this.arguments = arguments;
        this.backlogs = backlogs;
        this.feldera = feldera;
        this.directory = directory;
    }

    public static void main(String[] words) throws IOException, SQLException, InterruptedException {
        if (List.of(words).contains("--help")) {
            System.out.print(Arguments.USAGE);
            return;
        }
        // The embedded PostgreSQL's library asks for a logger; there is none, and nothing to complain about.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        try {
            run(Arguments.parse(List.of(words)));
        } catch (IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage() + "\n\n" + Arguments.USAGE);
            System.exit(ExitCode.USAGE.code());
        }
    }

    private static void run(Arguments arguments) throws IOException, SQLException, InterruptedException {
        Path directory = Files.createTempDirectory("tidemark-bench-");
        Backlogs backlogs = Backlogs.start(directory);
        // However the bench ends, Ctrl-C included.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> tearDown(backlogs, directory), "teardown"));
        System.out.printf(
                "%s; null Feldera; %d run(s), -Xmx%s, %d processors%n",
                backlogs.conditions(),
                arguments.runs(),
                arguments.heap(),
                Runtime.getRuntime().availableProcessors());
        var bench = new Main(arguments, backlogs, NullFeldera.start(), directory);
        for (Workload workload : arguments.workloads()) {
            switch (workload) {
                case W1, W3, W5 -> bench.measure(workload);
                case STEADY -> bench.pace();
            }
        }
    }

    private void measure(Workload workload) throws IOException, SQLException, InterruptedException {
        System.out.printf("%n%s: writing%n", workload);
        Lsn last = backlogs.write(workload, arguments.rows());
        Report report = new Report(workload, arguments.rows());
        for (int number = 1; number <= arguments.runs(); number++) {
            Report.Round round = round(workload, number, last);
            System.out.println(Report.line(number, round));
            report.add(round);
        }
        backlogs.drop(workload);
        System.out.print(report.text());
    }

    private void pace() throws IOException, SQLException, InterruptedException {
        Arguments.Pace pace = arguments.pace();
        System.out.printf(
                "%n%s: %,d a second, linger %d ms%n",
                Workload.STEADY, pace.perSecond(), pace.linger().toMillis());
        Lsn last = backlogs.write(Workload.STEADY, pace.rows());
        String slot = "steady";
        backlogs.offer(Workload.STEADY, slot);
        Task task = task(Workload.STEADY, slot, pace.rows(), last);
        System.out.print(new SteadyLoad(pace, backlogs, feldera).measure(task, arguments.heap()));
        backlogs.take(slot);
        backlogs.drop(Workload.STEADY);
    }

    private Report.Round round(Workload workload, int number, Lsn last)
            throws IOException, SQLException, InterruptedException {
        NullFeldera.Taken before = feldera.taken();
        boolean bareFirst = number % 2 == 1;
        Figures first = read(bareFirst ? Contestant.BARE : Contestant.TIDEMARK, workload, number, last);
        Figures second = read(bareFirst ? Contestant.TIDEMARK : Contestant.BARE, workload, number, last);
        NullFeldera.Taken taken = feldera.taken().since(before);
        return bareFirst ? new Report.Round(first, second, taken) : new Report.Round(second, first, taken);
    }

    private Figures read(Contestant contestant, Workload workload, int number, Lsn last)
            throws IOException, SQLException, InterruptedException {
        String slot = "%s_%d_%s".formatted(workload, number, contestant).toLowerCase(Locale.ROOT);
        backlogs.offer(workload, slot);
        Figures figures = contestant.read(task(workload, slot, arguments.rows(), last), arguments.heap());
        backlogs.take(slot);
        return figures;
    }

    private Task task(Workload workload, String slot, long rows, Lsn last) {
        return new Task(
                backlogs.url(),
                slot,
                workload,
                rows,
                last,
                feldera.url(),
                arguments.pace().linger(),
                directory);
    }

    private static void tearDown(Backlogs backlogs, Path directory) {
        try {
            backlogs.stop();
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("bench: could not tidy up " + directory + ": " + e);
        }
    }
}
