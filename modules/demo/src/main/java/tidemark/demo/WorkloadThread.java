package tidemark.demo;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import tidemark.delivery.ExitCode;

/**
 * Executes the workload at a steady rate on a thread and a connection of its own, until told to stop.
 *
 * <p>Owns the {@link Workload}; the other methods may be called from any thread. What it had not committed when it ends
 * was never written.
 */
final class WorkloadThread implements Teardown.Running {
    /** A transaction under way, the large one included, ends well within. */
    private static final long JOIN_MILLIS = TimeUnit.SECONDS.toMillis(60);

    private final SourceDatabase database;
    private final Workload workload;
    private final int changesPerSecond;
    private final Thread thread;
    private final AtomicBoolean bigRequested = new AtomicBoolean();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicLong transactions = new AtomicLong();
    private final AtomicLong changes = new AtomicLong();
    private volatile Optional<SQLException> failure = Optional.empty();

    WorkloadThread(SourceDatabase database, Workload workload, int changesPerSecond) {
        this.database = database;
        this.workload = workload;
        this.changesPerSecond = changesPerSecond;
        this.thread = Thread.ofPlatform().name("workload").daemon().unstarted(this::run);
    }

    /** On the caller's thread, before {@link #start()}: the rows that the service will have to copy. */
    void writeInitialRows() {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            for (Transaction transaction : workload.initialRows()) commit(connection, transaction);
        } catch (SQLException e) {
            throw SourceDatabase.failed("cannot write the initial rows", e);
        }
    }

    void start() {
        thread.start();
    }

    /** The large transaction comes next, once. */
    void requestBigTransaction() {
        bigRequested.set(true);
    }

    /** Ends after the transaction under way, and fails if the workload had failed. */
    void stop() {
        stopping.set(true);
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        requireHealthy();
        if (thread.isAlive()) throw new DemoFailure(ExitCode.UNREACHABLE, "the workload does not come to an end");
    }

    void requireHealthy() {
        failure.ifPresent(e -> {
            throw SourceDatabase.failed("the workload failed", e);
        });
    }

    long transactions() {
        return transactions.get();
    }

    long changes() {
        return changes.get();
    }

    @Override
    public void close() {
        stopping.set(true);
    }

    private void run() {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            long started = System.nanoTime();
            long paced = 0;
            while (!stopping.get()) {
                if (bigRequested.getAndSet(false)) commit(connection, workload.bigTransaction());
                Transaction transaction = workload.next();
                commit(connection, transaction);
                paced += transaction.changes();
                waitUntil(started + paced * TimeUnit.SECONDS.toNanos(1) / changesPerSecond);
            }
        } catch (SQLException e) {
            failure = Optional.of(e);
        }
    }

    private void commit(Connection connection, Transaction transaction) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(transaction.sql());
        }
        connection.commit();
        transactions.incrementAndGet();
        changes.addAndGet(transaction.changes());
    }

    private void waitUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0 && !stopping.get(); left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
