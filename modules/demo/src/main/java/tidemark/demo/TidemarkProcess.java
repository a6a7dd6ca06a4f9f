package tidemark.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import tidemark.delivery.ExitCode;

/**
 * The service as an operator runs it: its distribution, in a process of its own, configured by environment variables
 * alone. Killed and started again it is the same service: same port, same state file.
 *
 * <p>Owned by the main thread.
 */
final class TidemarkProcess implements Teardown.Running {
    /** The service's own budget for a drained stop is 20 s ({@code stop.budget}). */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(25);

    private static final Duration VERIFY_LIMIT = Duration.ofMinutes(5);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

    private final Path program;
    private final Path log;
    private final Map<String, String> environment;
    private final URI status;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER_LIMIT).build();
    private ChildProcess process;

    private TidemarkProcess(Path program, Path log, Map<String, String> environment, int port) {
        this.program = program;
        this.log = log;
        this.environment = environment;
        this.status = URI.create("http://127.0.0.1:%d/status".formatted(port));
        this.process = launch();
    }

    /** @param configuration environment variables; port and state file are added here */
    static TidemarkProcess start(Path distribution, Path directory, Map<String, String> configuration) {
        Path program = distribution.resolve("bin/tidemark").toAbsolutePath();
        if (!Files.isExecutable(program)) {
            throw new DemoFailure(ExitCode.CONFIGURATION, "no service at %s: run ./dev build".formatted(program));
        }
        int port = freePort();
        Map<String, String> environment = new TreeMap<>(configuration);
        environment.put("SERVER_HOST", "127.0.0.1");
        environment.put("SERVER_PORT", Integer.toString(port));
        environment.put("STATE_FILE", directory.resolve("state.json").toString());
        return new TidemarkProcess(program, directory.resolve("service.log"), environment, port);
    }

    private ChildProcess launch() {
        return ChildProcess.start("the service", log, List.of(program.toString(), "run"), environment);
    }

    /** SIGKILL, and at once a new process in its place. */
    void killAndRestart() {
        process.kill();
        process = launch();
    }

    /** Empty while the service is starting, or too busy to answer in time; fails when it has ended. */
    Optional<TidemarkStatus> status() {
        process.requireAlive();
        try {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(status).timeout(ANSWER_LIMIT).build(), HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == 200 ? Optional.of(TidemarkStatus.parse(answer.body())) : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DemoFailure(ExitCode.TEMPORARY, "the demo is ending", e);
        }
    }

    /**
     * {@code tidemark verify}, which asks the running service.
     *
     * @return {@link ExitCode#DRAINED} when it found no difference, {@link ExitCode#DIFFERENT} when it did,
     *     {@link ExitCode#TEMPORARY} when it could not compare now
     */
    ExitCode verify() {
        try (ChildProcess command = ChildProcess.start(
                "tidemark verify",
                log.resolveSibling("verify.log"),
                List.of(program.toString(), "verify"),
                environment)) {
            OptionalInt code = command.await(VERIFY_LIMIT);
            for (ExitCode told : List.of(ExitCode.DRAINED, ExitCode.DIFFERENT, ExitCode.TEMPORARY)) {
                if (code.equals(OptionalInt.of(told.code()))) return told;
            }
            throw new DemoFailure(
                    code.orElse(ExitCode.TEMPORARY.code()),
                    "tidemark verify could not compare. Its last words:%n%s".formatted(command.lastWords()));
        }
    }

    /** A drained stop, as on SIGTERM; anything but exit code 0 is a failure of the service. */
    void stop() {
        OptionalInt code = process.terminate(STOP_LIMIT);
        if (code.isEmpty()) {
            throw new DemoFailure(
                    ExitCode.TEMPORARY, "the service did not end within " + STOP_LIMIT.toSeconds() + " s");
        }
        if (code.getAsInt() != ExitCode.DRAINED.code()) {
            throw new DemoFailure(
                    code.getAsInt(),
                    "the service's drained stop ended with %d. Its last words:%n%s"
                            .formatted(code.getAsInt(), process.lastWords()));
        }
    }

    String lastWords() {
        return process.lastWords();
    }

    @Override
    public void close() {
        process.close();
        http.close();
    }

    /** Free a moment ago: another process could take it, and the service would say so. */
    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new DemoFailure(ExitCode.CONFIGURATION, "no free port on loopback", e);
        }
    }
}
