package tidemark.replication;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Waits for whoever holds a table exclusively, and not for longer than patience: a snapshot may be kept meanwhile, and
 * with it WAL.
 */
final class LockWait {
    /**
     * Nobody can have a table exclusively that the first reader holds. Whoever asked for that stands between the two,
     * and would wait for the first as long as the first waits for the second.
     */
    private static final Duration BEHIND_ANOTHER = Duration.ofSeconds(2);

    private static final String LATER = "none if it passes; else end that session, or run its ALTER TABLE, TRUNCATE,"
            + " CLUSTER or VACUUM FULL when the copy is over";

    private final BackendWaits waits;
    private final Duration patience;

    LockWait(BackendWaits waits, Duration patience) {
        this.waits = waits;
        this.patience = patience;
    }

    /** From here on, until the reader is closed, nobody writes the tables anew. */
    void hold(SnapshotReader reader, List<TableShape> tables) {
        hold(reader, tables, patience, OlderTransaction.END_THEM);
    }

    /** The same, for one more reader of tables that are held. */
    void holdToo(SnapshotReader reader, List<TableShape> tables) {
        for (TableShape table : tables) hold(reader, List.of(table), BEHIND_ANOTHER, LATER);
    }

    private void hold(SnapshotReader reader, List<TableShape> tables, Duration upTo, String remedy) {
        String attempted = tables.size() == 1
                ? "copy table " + tables.getFirst().name()
                : "copy %d tables".formatted(tables.size());
        waits.during(reader.connection(), upTo, new Awaited.Locks(attempted, remedy), () -> {
            reader.hold(tables);
            return tables;
        });
    }

    /** Asks what opens tables, on a connection that else is given up when an answer takes so long. */
    <T> T answered(Connection questions, String attempted, Supplier<T> question) {
        Awaited locks = new Awaited.Locks(attempted, OlderTransaction.END_THEM);
        answersWithin(questions, patience.plus(PostgresSource.QUESTION_PATIENCE));
        T answer = waits.during(questions, patience, locks, question);
        answersWithin(questions, PostgresSource.QUESTION_PATIENCE);
        return answer;
    }

    private static void answersWithin(Connection questions, Duration time) {
        Classification.classified("set the time for an answer", () -> {
            questions.setNetworkTimeout(Runnable::run, Math.toIntExact(time.toMillis()));
            return time;
        });
    }
}
