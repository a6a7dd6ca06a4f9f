package tidemark.replication;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.replication.SourceFailure.Kind;

/**
 * One PostgreSQL database with one slot and one publication, over the driver.
 *
 * <p>Sessions have connections of their own; the questions of {@link #slot()}, {@link #walRoom()}, {@link #walEnd()}
 * and {@link #editions} share one more.
 */
public final class PostgresSource implements ChangeSource {
    /** How long a catalog question may take: a lock held by DDL is waited for, a dead peer is not. */
    static final Duration QUESTION_PATIENCE = Duration.ofSeconds(30);

    private static final int OLDEST_SUPPORTED = 14;
    private static final int NEWEST_TESTED = 18;

    private static final System.Logger LOG = System.getLogger(PostgresSource.class.getName());

    private final PostgresSettings settings;
    private final Connections connections;
    private final InstantSource clock;
    private final MonitorConnection monitor;

    /**
     * @param clock for the time that status replies carry; PostgreSQL only shows it
     * @throws SourceFailure misconfigured, when the settings cannot be right whatever the server says
     */
    public PostgresSource(PostgresSettings settings, InstantSource clock) {
        ReplicationCommand.requireSlotName(settings.slot());
        this.settings = settings;
        this.connections = new Connections(settings);
        this.monitor = new MonitorConnection(connections);
        this.clock = clock;
    }

    @Override
    public SourceSession open() {
        SessionConnections session = new SessionConnections(connections);
        try {
            Connection questions = session.forQuestions(); // first: it can say why there will be no walsender
            int major = serverMajor(questions);
            settings.options().requireSupported(major);
            requireLogicalWal(questions);
            Connection walsender = session.forReplication();
            SourceIdentity identity = identity(walsender, major);
            return new PostgresSession(settings, session, walsender, questions, identity, clock);
        } catch (SourceFailure e) {
            session.close();
            throw e;
        }
    }

    private static int serverMajor(Connection connection) {
        String question = "SELECT current_setting('server_version_num')::int / 10000";
        int major = Integer.parseInt(answer(connection, "ask the server's version", question));
        if (major < OLDEST_SUPPORTED) {
            throw new SourceFailure(
                    Kind.MISCONFIGURED,
                    "use PostgreSQL %d: versions %d to %d are supported"
                            .formatted(major, OLDEST_SUPPORTED, NEWEST_TESTED),
                    "upgrade the server");
        }
        if (major > NEWEST_TESTED) {
            LOG.log(
                    Level.WARNING,
                    "use PostgreSQL newer than any tested major=%d newest_tested=%d".formatted(major, NEWEST_TESTED));
        }
        return major;
    }

    private static void requireLogicalWal(Connection connection) {
        String level = answer(connection, "ask wal_level", "SELECT current_setting('wal_level')");
        if (level.equals("logical")) return;
        throw new SourceFailure(
                Kind.MISCONFIGURED,
                "replicate from a server with wal_level = " + level,
                "set wal_level = logical in postgresql.conf and restart the server");
    }

    private SourceIdentity identity(Connection walsender, int major) {
        return Classification.classified("identify the system", () -> {
            try (Statement statement = walsender.createStatement();
                    ResultSet row = statement.executeQuery("IDENTIFY_SYSTEM")) {
                row.next();
                return new SourceIdentity(
                        row.getString("systemid"),
                        row.getInt("timeline"),
                        row.getString("dbname"),
                        settings.slot(),
                        major);
            }
        });
    }

    @Override
    public SlotStatus slot() {
        return monitor.ask(connection -> SlotCatalog.read(connection, settings.slot(), connections.database()));
    }

    @Override
    public Optional<WalRoom> walRoom() {
        return monitor.ask(connection -> SlotCatalog.room(connection, settings.slot()));
    }

    @Override
    public Optional<String> exclusiveHolder() {
        return monitor.ask(connection -> ExclusiveLocks.holder(connection, settings.publication()));
    }

    /** On a standby there is no current position, only a replayed one. */
    @Override
    public Lsn walEnd() {
        return position("pg_current_wal_lsn()");
    }

    /** With {@code synchronous_commit = off} a commit is seen before it is written. */
    @Override
    public Lsn insertedWal() {
        return position("pg_current_wal_insert_lsn()");
    }

    private Lsn position(String onPrimary) {
        return monitor.ask(connection -> Lsn.parse(answer(
                connection,
                "ask the end of WAL",
                "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE %s END::text"
                        .formatted(onPrimary))));
    }

    @Override
    public List<TableEdition> editions(List<RelationName> tables) {
        return monitor.ask(connection -> EditionCatalog.read(connection, settings.publication(), tables));
    }

    private static String answer(Connection connection, String attempted, String sql) {
        return Classification.classified(attempted, () -> {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(sql)) {
                row.next();
                return row.getString(1);
            }
        });
    }

    @Override
    public void close() {
        monitor.close();
    }
}
