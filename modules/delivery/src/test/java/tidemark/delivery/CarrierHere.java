package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tidemark.replication.PostgresSource;
import tidemark.sink.FelderaClient;

/** On a thread of this JVM. */
final class CarrierHere implements Carrier {
    private final PostgresSource source;
    private final FelderaClient client;
    private final Connector connector;
    private final CompletableFuture<ExitCode> end = new CompletableFuture<>();

    CarrierHere(TripEnds ends) {
        source = new PostgresSource(ends.postgres(), InstantSource.system());
        client = ends.feldera();
        connector = new Connector(ends.settings(), source, client, InstantSource.system(), new SplittableRandom(1));
        Thread.ofPlatform().name("tidemark-delivery").start(() -> end.complete(connector.run()));
    }

    @Override
    public void expectRunning() {
        if (end.isDone()) throw new AssertionError("it ended with %s: %s".formatted(end.join(), connector.status()));
    }

    @Override
    public List<NulledValues.Count> stop() {
        assertThat(end()).isEqualTo(ExitCode.DRAINED);
        return connector.status().nulledValues();
    }

    private ExitCode end() {
        connector.stop();
        try {
            return end.get(3, TimeUnit.MINUTES);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the connector did not end: " + connector.status(), e);
        }
    }

    @Override
    public void close() {
        end();
        client.close();
        source.close();
    }
}
