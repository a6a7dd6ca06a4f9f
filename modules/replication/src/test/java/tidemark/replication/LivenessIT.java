package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.replication.SourceFailure.Kind;

/** A session outlives silence and back-pressure, and notices a server that is gone. */
class LivenessIT {
    private static TestPostgres postgres;

    private String database;
    private PostgresSource source;
    private SourceSession session;

    @BeforeAll
    static void anImpatientServer() {
        postgres = TestPostgres.start(Map.of("wal_sender_timeout", "2s"));
    }

    @BeforeEach
    void aStreamingSession() {
        database = postgres.newDatabase();
        postgres.execute(database, "CREATE TABLE t (id int PRIMARY KEY)", "CREATE PUBLICATION p FOR TABLE t");
        source = new PostgresSource(postgres.settings(database, "live_" + database, "p"), InstantSource.system());
        session = source.open();
        session.createSlotWithoutSnapshot();
        session.start();
    }

    @AfterEach
    void close() {
        session.close();
        source.close();
        TestPostgres.await("the server to be there", () -> postgres.accepts(database));
        postgres.dropSlots(database);
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    /** Back-pressure: nothing is read for three timeouts, and rows pile up meanwhile. */
    @Test
    void aReaderThatOnlyBeatsKeepsItsSession() {
        long start = System.nanoTime();
        var writing = CompletableFuture.runAsync(
                () -> postgres.execute(database, "INSERT INTO t SELECT generate_series(1, 100000)"));
        TestPostgres.await("the rows", () -> {
            session.heartbeat(System.nanoTime());
            return writing.isDone();
        });
        writing.join();
        long end = System.nanoTime() + Duration.ofSeconds(7).toNanos();
        TestPostgres.await("three timeouts to pass", () -> {
            session.heartbeat(System.nanoTime());
            return System.nanoTime() > end;
        });
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        assertThat(session.statusReplies()).isBetween(4L, millis / 666 + 3);
        var probe = new StreamProbe(session);
        probe.readCommits(1);
        assertThat(probe.inserts).isEqualTo(100_000);
    }

    /** An idle server is silent for half its timeout, longer than our interval: only pings tell it from a dead one. */
    @Test
    void anIdleServerIsPingedAndAnswers() {
        var probe = new StreamProbe(session);
        long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        probe.readUntil("two timeouts to pass", () -> System.nanoTime() > end);
        assertThat(probe.keepalives).isGreaterThan(3);
    }

    @Test
    void aKilledServerIsNoticed() {
        var probe = new StreamProbe(session);
        probe.step();
        long pid = ((SlotStatus.Usable) source.slot()).activePid().getAsInt();
        postgres.kill(pid);
        assertThatThrownBy(() -> probe.readUntil("the end of the stream", () -> false))
                .isInstanceOfSatisfying(
                        SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.TRANSIENT));
        // and after crash recovery the slot goes on
        TestPostgres.await("a new session", this::canOpen);
    }

    /** A walsender whose server shuts down ends its command and says nothing else; the driver shows neither. */
    @Test
    void aCleanShutdownIsNoticedAndDoesNotWaitForUs() {
        var probe = new StreamProbe(session);
        probe.step();
        Thread stopping = Thread.ofVirtual().start(postgres::stop);
        assertThatThrownBy(() -> probe.readUntil("the end of the stream", () -> {
                    // a fast shutdown waits until what was sent is confirmed
                    if (probe.received.isAfter(Lsn.ZERO)) session.positions(probe.received, probe.received);
                    return false;
                }))
                .isInstanceOfSatisfying(
                        SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.TRANSIENT));
        TestPostgres.await("the server to stop", () -> !stopping.isAlive());
        postgres.startAgain();
        TestPostgres.await("a new session", this::canOpen);
    }

    @Test
    void aServerKilledWithoutWarningStartsAgainOnTheSameData() {
        postgres.execute(database, "INSERT INTO t VALUES (1)");
        postgres.kill();
        assertThatThrownBy(() -> new StreamProbe(session).readUntil("the end of the stream", () -> false))
                .isInstanceOf(SourceFailure.class);
        postgres.startAgain();
        assertThat(source.slot()).isInstanceOf(SlotStatus.Usable.class);
        assertThat(postgres.query(database, "SELECT count(*) FROM t")).isEqualTo("1");
    }

    /** A stopped process answers nothing, and its kernel goes on acknowledging what we write. */
    @Test
    void aFrozenServerIsGivenUpAfterItsTimeout() throws Exception {
        var probe = new StreamProbe(session);
        probe.step();
        int pid = ((SlotStatus.Usable) source.slot()).activePid().getAsInt();
        signal("-STOP", pid);
        try {
            assertThatThrownBy(() -> probe.readUntil("giving up", () -> false))
                    .isInstanceOfSatisfying(SourceFailure.class, e -> {
                        assertThat(e.kind()).isEqualTo(Kind.TRANSIENT);
                        assertThat(e.getMessage()).contains("silent");
                    });
        } finally {
            signal("-CONT", pid);
        }
    }

    private static void signal(String signal, int pid) throws Exception {
        assertThat(new ProcessBuilder("kill", signal, Integer.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    private boolean canOpen() {
        try (SourceSession again = source.open()) {
            return again.start().isAfter(Lsn.ZERO);
        } catch (SourceFailure e) {
            assertThat(e.kind()).as(e.getMessage()).isIn(Kind.TRANSIENT, Kind.SLOT_BUSY);
            return false;
        }
    }
}
