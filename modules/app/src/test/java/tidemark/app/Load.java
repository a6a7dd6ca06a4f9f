package tidemark.app;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import tidemark.replication.TestPostgres;

/**
 * Seeded transactions on a {@link Shop}'s tables, some fifty a second from a thread of its own until it is closed.
 * Connects again when the server was away: whether a transaction that was under way then is there, it does not ask.
 */
final class Load implements AutoCloseable {
    private static final Duration BETWEEN_TRANSACTIONS = Duration.ofMillis(10);
    private static final int KEYS = 300;

    private final TestPostgres server;
    private final String database;
    private final SplittableRandom random;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicLong committed = new AtomicLong();
    private final Thread thread = Thread.ofPlatform().name("load").unstarted(this::write);

    Load(Shop shop, long seed) {
        this.server = shop.server;
        this.database = shop.database;
        this.random = new SplittableRandom(seed);
        thread.start();
    }

    long committed() {
        return committed.get();
    }

    private void write() {
        while (!stopped.get()) {
            try (Connection connection = server.connect(database);
                    Statement sql = connection.createStatement()) {
                while (!stopped.get()) {
                    sql.execute(transaction());
                    committed.incrementAndGet();
                    LockSupport.parkNanos(BETWEEN_TRANSACTIONS.toNanos());
                }
            } catch (SQLException | IllegalStateException serverIsAway) {
                LockSupport.parkNanos(4 * BETWEEN_TRANSACTIONS.toNanos());
            }
        }
    }

    private String transaction() {
        int id = random.nextInt(KEYS);
        int other = random.nextInt(KEYS);
        String upsert = "INSERT INTO users VALUES (%d, 'user', now()) ON CONFLICT (id)".formatted(id)
                + " DO UPDATE SET name = right(users.name, 20) || 'x', at = now();";
        String item = "INSERT INTO items VALUES (%d, %d, 'item') ON CONFLICT (id)".formatted(other, id)
                + " DO UPDATE SET owner = excluded.owner;";
        return switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> upsert;
            case 4, 5 -> "BEGIN;" + upsert + item + "COMMIT";
            case 6, 7 -> "DELETE FROM users WHERE id = " + other;
            case 8, 9 ->
                "UPDATE users SET id = %d WHERE id = %d AND NOT EXISTS (SELECT FROM users WHERE id = %d)"
                        .formatted(other, id, other);
            case 10 -> "DELETE FROM items WHERE id %% 10 = %d".formatted(other % 10);
            default ->
                "BEGIN; UPDATE users SET name = right(name, 20) || 'y' WHERE id < %d;".formatted(id / 2)
                        + "UPDATE items SET label = 'z%d'; COMMIT".formatted(id);
        };
    }

    @Override
    public void close() {
        stopped.set(true);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
