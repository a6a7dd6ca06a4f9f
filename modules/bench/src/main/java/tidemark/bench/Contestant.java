package tidemark.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Who reads a backlog, each time in a fresh process: with its own CPU time, its own memory and its own warm-up. */
enum Contestant {
    BARE(BareReading.class),
    TIDEMARK(ConnectorReading.class);

    /** A row takes microseconds; who needs longer has stopped. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final Class<?> main;

    Contestant(Class<?> main) {
        this.main = main;
    }

    /** @param heap as {@code -Xmx} takes it */
    Figures read(Task task, String heap) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC", // as bin/tidemark starts the service
                "-Xmx" + heap,
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(task.words());
        Path log = task.directory().resolve(task.slot() + ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Thread killer = new Thread(process::destroyForcibly, "killer");
        Runtime.getRuntime().addShutdownHook(killer);
        try {
            boolean ended = process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended || process.exitValue() != 0) {
                throw new IllegalStateException("%s %s. It printed:%n%s"
                        .formatted(this, ended ? "failed" : "was not done in " + LIMIT, Files.readString(log)));
            }
        } finally {
            process.destroyForcibly().waitFor();
            Runtime.getRuntime().removeShutdownHook(killer);
        }
        try (Stream<String> lines = Files.lines(log)) {
            return Figures.in(lines)
                    .orElseThrow(() -> new IllegalStateException(this + " ended without its figures, see " + log));
        }
    }
}
