package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import tidemark.replication.ChangeSource;
import tidemark.replication.PostgresSource;
import tidemark.replication.TestPostgres;

class RealPostgresTest extends SourceContract {
    private final TestPostgres postgres = TestPostgres.shared();
    private final String database = postgres.newDatabase();
    private final PostgresSource source;

    RealPostgresTest() {
        postgres.execute(
                database,
                "CREATE TABLE t0 (id bigint PRIMARY KEY, v text, big text)",
                "CREATE TABLE other (id bigint)",
                "CREATE PUBLICATION pub FOR TABLE t0");
        source = new PostgresSource(postgres.settings(database, "slot_" + database, "pub"), InstantSource.system());
    }

    @AfterEach
    void dropSlots() {
        source.close();
        postgres.dropSlots(database);
    }

    @Override
    ChangeSource source() {
        return source;
    }

    @Override
    void insert(long id) {
        postgres.execute(
                database,
                "INSERT INTO t0 SELECT %d, 'v', string_agg(md5(g::text), '') FROM generate_series(1, 400) g"
                        .formatted(id));
    }

    @Override
    void touch(long id) {
        postgres.execute(database, "UPDATE t0 SET v = 'touched' WHERE id = " + id);
    }

    @Override
    void changeKey(long from, long to) {
        postgres.execute(database, "UPDATE t0 SET id = %d WHERE id = %d".formatted(to, from));
    }

    @Override
    void delete(long id) {
        postgres.execute(database, "DELETE FROM t0 WHERE id = " + id);
    }

    @Override
    void addColumn() {
        postgres.execute(database, "ALTER TABLE t0 ADD COLUMN extra text");
    }

    @Override
    boolean writeAnew() {
        try (Connection other = postgres.connect(database);
                Statement alter = other.createStatement()) {
            alter.execute("SET lock_timeout = '200ms'");
            alter.execute("ALTER TABLE t0 ALTER v TYPE text USING v || ''");
            return true;
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isEqualTo("55P03");
            return false;
        }
    }

    @Override
    void somethingElse() {
        postgres.execute(database, "INSERT INTO other VALUES (1)");
    }

    @Override
    void whileATransactionIsOpen(Consumer<ChangeSource> impatient) {
        var settings = postgres.settings(database, "slot_" + database, "pub").with(Duration.ofMillis(500));
        try (Connection open = postgres.connect(database);
                Statement transaction = open.createStatement();
                var other = new PostgresSource(settings, InstantSource.system())) {
            open.setAutoCommit(false);
            transaction.execute("INSERT INTO other VALUES (1)");
            impatient.accept(other);
            open.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    long nanos() {
        return System.nanoTime();
    }
}
