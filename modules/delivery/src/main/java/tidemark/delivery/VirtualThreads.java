package tidemark.delivery;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One virtual thread per errand. */
final class VirtualThreads implements Workers {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final LinkedBlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();

    @Override
    public void begin(Ticket ticket) {
        threads.execute(() -> outcomes.add(new Outcome(ticket, ticket.errand().outcome())));
    }

    @Override
    public Optional<Outcome> take(Duration wait) {
        try {
            return Optional.ofNullable(
                    wait.isPositive() ? outcomes.poll(wait.toNanos(), TimeUnit.NANOSECONDS) : outcomes.poll());
        } catch (InterruptedException _) {
            throw new InvariantViolation("the connector's thread was interrupted: nobody may do that");
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
