package tidemark.demo;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tidemark.delivery.ExitCode;

/**
 * The stand-in for Feldera in a process of its own: it holds every row in memory, and the service's death must not
 * touch it.
 */
final class StandinProcess implements Teardown.Running {
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    private final ChildProcess process;
    private final URI url;

    private StandinProcess(ChildProcess process, URI url) {
        this.process = process;
        this.url = url;
    }

    /**
     * @param requestLimit after which a request through its API server cannot take effect any more; Feldera's own is 30
     *     s
     */
    static StandinProcess start(Path directory, Duration requestLimit) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                "tidemark.standin.Main",
                "--port",
                "0",
                "--step-delay-millis",
                "5", // a real one completes a small array after 4.8 ms
                "--api-limit-millis",
                Long.toString(requestLimit.toMillis()));
        ChildProcess process =
                ChildProcess.start("the stand-in for Feldera", directory.resolve("standin.log"), command, Map.of());
        return new StandinProcess(process, awaitUrl(process));
    }

    private static URI awaitUrl(ChildProcess process) {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (System.nanoTime() < deadline) {
            Optional<String> url = process.line("http://");
            if (url.isPresent()) return URI.create(url.get().strip());
            process.requireAlive();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        process.close();
        throw new DemoFailure(ExitCode.UNREACHABLE, "the stand-in for Feldera did not start. " + process.lastWords());
    }

    URI url() {
        return url;
    }

    @Override
    public void close() {
        process.close();
    }
}
