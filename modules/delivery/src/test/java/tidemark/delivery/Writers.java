package tidemark.delivery;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import tidemark.replication.TestPostgres;

/**
 * One connection that writes seeded transactions on {@code users} and {@code items} until it is told to stop, and
 * reconnects when the server is back. Every transaction inserts one item under the next id; none is changed.
 */
final class Writers implements AutoCloseable {
    private static final long RECONNECT_MILLIS = 50;

    private final Replica replica;
    private final SplittableRandom random;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicLong committed = new AtomicLong();
    private final Thread thread;

    Writers(Replica replica, long seed) {
        this.replica = replica;
        this.random = new SplittableRandom(seed);
        this.thread = Thread.ofVirtual().start(this::write);
    }

    private void write() {
        while (!pause(0)) {
            try (Connection connection = replica.postgres.connect(replica.database);
                    Statement statement = connection.createStatement()) {
                while (!pause(0)) {
                    statement.execute(transaction());
                    committed.incrementAndGet();
                }
            } catch (SQLException | IllegalStateException serverIsAway) {
                pause(RECONNECT_MILLIS);
            }
        }
    }

    private String transaction() {
        long id = random.nextLong(200);
        String upsert = "INSERT INTO users VALUES (%d, 'user', NULL) ON CONFLICT (id)".formatted(id)
                + " DO UPDATE SET name = left(users.name || 'x', 40);";
        String item = "INSERT INTO items SELECT coalesce(max(id), 0) + 1, %d, 'l' FROM items;".formatted(id);
        return "BEGIN;%s%s DELETE FROM users WHERE id = %d; COMMIT".formatted(upsert, item, (id + 100) % 200);
    }

    private boolean pause(long millis) {
        try {
            return stopped.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    void awaitSome() {
        long from = committed.get();
        TestPostgres.await("more commits", () -> committed.get() > from + 100);
    }

    @Override
    public void close() {
        stopped.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
