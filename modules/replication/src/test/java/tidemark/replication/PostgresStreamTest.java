package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.replication.SourceFailure.Kind;

/** The slot moves by our word and by nothing else. */
class PostgresStreamTest {
    private final TestPostgres postgres = TestPostgres.shared();
    private String database;
    private String slot;
    private PostgresSource source;

    @BeforeEach
    void aPublishedTable() {
        database = postgres.newDatabase();
        slot = "stream_" + database;
        postgres.execute(database, "CREATE TABLE t (id int PRIMARY KEY, v text)", "CREATE PUBLICATION p FOR TABLE t");
        source = new PostgresSource(postgres.settings(database, slot, "p"), InstantSource.system());
    }

    @AfterEach
    void dropSlots() {
        source.close();
        postgres.dropSlots(database);
    }

    /** The pattern in which a driver that confirms keepalives by itself loses the second transaction. */
    @Test
    void receivedButUnconfirmedTransactionsAreSentAgainWhateverKeepalivesSay() throws SQLException {
        // so that status replies, and the keepalives they draw, are many
        postgres.expectStatusOften(database);
        try (SourceSession session = source.open();
                Connection early = postgres.connect(database);
                Statement earlier = early.createStatement()) {
            session.createSlotWithoutSnapshot();
            session.start();
            var probe = new StreamProbe(session);
            // given a transaction that begins before the others and commits after them
            early.setAutoCommit(false);
            earlier.execute("INSERT INTO t VALUES (100, 'early')");
            postgres.execute(database, "INSERT INTO t VALUES (1, 'first')");
            probe.readCommits(1);
            Lsn first = probe.commitEnds.getFirst();
            session.positions(first, first);
            postgres.execute(database, "INSERT INTO t VALUES (2, 'second')");
            probe.readCommits(2);
            early.commit();
            probe.readCommits(3);
            // when status replies and keepalives have gone to and fro for a while
            long replies = session.statusReplies();
            long keepalives = probe.keepalives;
            postgres.execute(database, "CREATE TABLE unpublished AS SELECT generate_series(1, 1000) AS n");
            probe.readUntil("replies and keepalives", () -> {
                session.positions(probe.received, first);
                return session.statusReplies() > replies + 4 && probe.keepalives > keepalives + 2;
            });
            // then the slot is where we put it
            assertThat(confirmed()).isEqualTo(first);
            assertThat(probe.keepaliveEnd.isAfter(first)).isTrue();
        }
        try (SourceSession again = source.open()) {
            assertThat(startOnceLetGo(again)).isEqualTo(confirmed());
            var probe = new StreamProbe(again);
            probe.readCommits(2);
            assertThat(probe.inserted.stream().map(row -> row.get(1))).containsExactly("second", "early");
        }
    }

    /** A connection that only its stream can reach would be closed by the first collection. */
    @Test
    void aLargeTransactionSurvivesGarbageCollectionAndMovesNothing() {
        try (SourceSession session = source.open()) {
            session.createSlotWithoutSnapshot();
            Lsn start = session.start();
            var probe = new StreamProbe(session);
            postgres.execute(database, "INSERT INTO t SELECT n, repeat('x', 50) FROM generate_series(1, 250000) n");
            for (int part = 1; part <= 5; part++) {
                long wanted = part * 40_000L;
                while (probe.inserts < wanted) {
                    probe.read();
                    session.heartbeat(System.nanoTime());
                }
                System.gc();
            }
            probe.readCommits(1);
            assertThat(probe.inserts).isEqualTo(250_000);
            assertThat(confirmed()).isEqualTo(start);
        }
    }

    @Test
    void confirmedPositionsReachTheSlotSoonAndSurviveTheSession() {
        Lsn end;
        try (SourceSession session = source.open()) {
            Lsn created = session.createSlotWithoutSnapshot();
            assertThat(session.start()).isEqualTo(created);
            var probe = new StreamProbe(session);
            postgres.execute(database, "INSERT INTO t VALUES (1, 'a')");
            probe.readCommits(1);
            end = probe.commitEnds.getFirst();
            session.positions(end, end);
            probe.readUntil("the slot to move", () -> confirmed().equals(end));
        }
        try (SourceSession again = source.open()) {
            assertThat(startOnceLetGo(again)).isEqualTo(end);
        }
    }

    @Test
    void finishTellsTheLastPositionWithoutAHeartbeatAndLetsTheSlotGo() {
        try (SourceSession session = source.open()) {
            session.createSlotWithoutSnapshot();
            session.start();
            var probe = new StreamProbe(session);
            postgres.execute(database, "INSERT INTO t VALUES (1, 'a')");
            probe.readCommits(1);
            Lsn end = probe.commitEnds.getFirst();
            long replies = session.statusReplies();
            session.positions(end, end);
            session.finish();
            assertThat(confirmed()).isEqualTo(end);
            assertThat(session.statusReplies()).isEqualTo(replies + 1);
        }
    }

    @Test
    void finishInTheMiddleOfALargeTransactionComesToAnEnd() {
        try (SourceSession session = source.open()) {
            session.createSlotWithoutSnapshot();
            session.start();
            var probe = new StreamProbe(session);
            postgres.execute(database, "INSERT INTO t SELECT n, repeat('x', 500) FROM generate_series(1, 200000) n");
            while (probe.inserts < 100) probe.read();
            session.finish();
            session.finish();
        }
        TestPostgres.await("the slot to be let go", () -> activePid().isEmpty());
    }

    @Test
    void positionsNeverGoBack() {
        try (SourceSession session = source.open()) {
            Lsn created = session.createSlotWithoutSnapshot();
            session.start();
            session.positions(created, created);
            assertThatThrownBy(() -> session.positions(created, Lsn.parse("0/1")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aKeepaliveLetsAnIdlePublicationFollowTheServer() {
        try (SourceSession session = source.open()) {
            session.createSlotWithoutSnapshot();
            Lsn start = session.start();
            var probe = new StreamProbe(session);
            postgres.execute(database, "CREATE TABLE noise AS SELECT generate_series(1, 10000) AS n");
            probe.readUntil("a keepalive past the noise", () -> probe.keepaliveEnd.isAfter(start));
            Lsn idle = probe.keepaliveEnd;
            session.positions(idle, idle);
            probe.readUntil("the slot to follow", () -> confirmed().equals(idle));
        }
    }

    @Test
    void aHeldSlotIsBusyAndNamesItsHolder() {
        try (SourceSession session = source.open();
                SourceSession second = source.open()) {
            session.createSlotWithoutSnapshot();
            session.start();
            String pid = Integer.toString(activePid().getAsInt());
            assertThatThrownBy(second::start).isInstanceOfSatisfying(SourceFailure.class, e -> {
                assertThat(e.kind()).isEqualTo(Kind.SLOT_BUSY);
                assertThat(e.getMessage()).contains(slot, "pid " + pid);
            });
            // the loser may try again in the same session
            session.finish();
            assertThat(startOnceLetGo(second)).isEqualTo(confirmed());
        }
    }

    @Test
    void aTerminatedWalsenderIsNoticed() {
        try (SourceSession session = source.open()) {
            session.createSlotWithoutSnapshot();
            session.start();
            var probe = new StreamProbe(session);
            probe.step();
            postgres.execute(
                    database,
                    "SELECT pg_terminate_backend(%d)".formatted(activePid().getAsInt()));
            assertThatThrownBy(() -> probe.readUntil("the end of the stream", () -> false))
                    .isInstanceOfSatisfying(
                            SourceFailure.class, e -> assertThat(e.kind()).isEqualTo(Kind.TRANSIENT));
        }
    }

    @Test
    void anOddPublicationNameStreams() {
        String odd = "It's \"odd\", isn't it; Ünicode";
        postgres.execute(database, "CREATE PUBLICATION %s FOR TABLE t".formatted(SqlText.identifier(odd)));
        try (var oddSource = new PostgresSource(postgres.settings(database, slot, odd), InstantSource.system());
                SourceSession session = oddSource.open()) {
            assertThat(session.publication().tables()).hasSize(1);
            session.createSlotWithoutSnapshot();
            session.start();
            var probe = new StreamProbe(session);
            postgres.execute(database, "INSERT INTO t VALUES (1, 'a')");
            probe.readCommits(1);
            assertThat(probe.inserts).isEqualTo(1);
        }
    }

    private Lsn startOnceLetGo(SourceSession session) {
        TestPostgres.await("the slot to be let go", () -> activePid().isEmpty());
        return session.start();
    }

    private Lsn confirmed() {
        return ((SlotStatus.Usable) source.slot()).confirmedFlush();
    }

    private OptionalInt activePid() {
        return ((SlotStatus.Usable) source.slot()).activePid();
    }
}
