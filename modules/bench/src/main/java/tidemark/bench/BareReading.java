package tidemark.bench;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyDual;
import org.postgresql.copy.CopyOut;

/**
 * The contestant that does nothing with what it reads: the driver's limit, and so that of everything built on it.
 * Acknowledges nothing, decodes nothing; looks at one byte of each message to know the end.
 */
final class BareReading {
    /** Of an XLogData frame: 'w', three 8-byte numbers (PostgreSQL documentation, "Streaming Replication Protocol"). */
    private static final int MESSAGE_AT = 25;

    private BareReading() {}

    public static void main(String[] words) throws SQLException, IOException {
        Task task = Task.parse(words);
        // The connection is held by its variable: unreachable, its cleaner would close the socket under the copy.
        try (Connection connection = connect(task)) {
            PGConnection postgres = connection.unwrap(PGConnection.class);
            System.out.println((task.workload().isCopy() ? copied(task, postgres) : streamed(task, postgres)).line());
        }
    }

    private static Connection connect(Task task) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", Task.USER);
        if (!task.workload().isCopy()) {
            properties.setProperty("replication", "database");
            properties.setProperty("preferQueryMode", "simple");
            properties.setProperty("assumeMinServerVersion", "14");
            properties.setProperty("options", "-c wal_sender_timeout=0"); // it never hears from us
        }
        return DriverManager.getConnection(task.postgres(), properties);
    }

    private static Figures streamed(Task task, PGConnection postgres) throws SQLException, IOException {
        Duration cpu = Figures.cpuOfThisProcess();
        long begun = System.nanoTime();
        CopyDual copy = postgres.getCopyAPI()
                .copyDual("START_REPLICATION SLOT %s LOGICAL 0/0 (\"proto_version\" '1', \"publication_names\" '%s')"
                        .formatted(task.slot(), task.workload().table()));
        long changes = 0;
        boolean open = true;
        while (open || changes < task.rows()) {
            byte[] frame = copy.readFromCopy(true);
            if (frame[0] != 'w') continue;
            switch (frame[MESSAGE_AT]) {
                case 'I', 'U', 'D' -> changes++;
                case 'B' -> open = true;
                case 'C' -> open = false;
                default -> {} // a relation, a type
            }
        }
        return figures(changes, begun, cpu);
    }

    private static Figures copied(Task task, PGConnection postgres) throws SQLException, IOException {
        Duration cpu = Figures.cpuOfThisProcess();
        long begun = System.nanoTime();
        CopyOut copy = postgres.getCopyAPI()
                .copyOut("COPY %s TO STDOUT".formatted(task.workload().table()));
        long rows = 0;
        while (copy.readFromCopy() != null) rows++;
        return figures(rows, begun, cpu);
    }

    private static Figures figures(long rows, long begun, Duration cpuBefore) throws IOException {
        Duration wall = Duration.ofNanos(System.nanoTime() - begun);
        return Figures.ofThisProcess(rows, wall, Figures.cpuOfThisProcess().minus(cpuBefore));
    }
}
