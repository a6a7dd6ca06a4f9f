package tidemark.app;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import tidemark.delivery.Connector;
import tidemark.delivery.ExitCode;
import tidemark.replication.PostgresSource;
import tidemark.sink.FelderaClient;

/** The service without its container, on a thread of this JVM: most of a start is the container's. */
final class ConnectorHere implements AutoCloseable {
    private final PostgresSource source;
    private final FelderaClient client;
    private final Connector connector;
    private final CompletableFuture<ExitCode> end = new CompletableFuture<>();

    /** @param settings by key, as the service reads them */
    ConnectorHere(Map<String, String> settings) {
        Settings read = Settings.read(Sources.only(settings.entrySet().stream()
                .flatMap(one -> Stream.of(one.getKey(), one.getValue()))
                .toArray(String[]::new)));
        source = new PostgresSource(read.postgres(), InstantSource.system());
        client = new FelderaClient(read.feldera());
        connector = new Connector(read.delivery(), source, client, InstantSource.system(), new SplittableRandom(1));
        Thread.ofPlatform().name("tidemark-delivery").start(() -> end.complete(connector.run()));
    }

    boolean isStreaming() {
        if (end.isDone()) throw new AssertionError("it ended with " + end.join());
        return connector.status().phase().equals("streaming");
    }

    ExitCode stop(Duration patience) {
        connector.stop();
        try {
            return end.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the connector did not end: " + connector.status(), e);
        }
    }

    @Override
    public void close() {
        if (!end.isDone()) stop(Duration.ofSeconds(30));
        client.close();
        source.close();
    }
}
