package tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.InstantSource;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidemark.replication.SlotOptions.Origin;
import tidemark.replication.SourceFailure.Kind;

/** What newer servers can is asked of them, and refused by name where the server is older. */
class SlotOptionsTest {
    private static final SlotOptions FAILOVER = new SlotOptions(true, Origin.ANY);
    private static final SlotOptions LOCAL = new SlotOptions(false, Origin.NONE);

    private final TestPostgres postgres = TestPostgres.shared();
    private String database;
    private PostgresSettings ordinary;

    @BeforeEach
    void aPublishedTable() {
        database = postgres.newDatabase();
        postgres.execute(database, "CREATE TABLE t (id int PRIMARY KEY)", "CREATE PUBLICATION p FOR TABLE t");
        ordinary = postgres.settings(database, "options_" + database, "p");
    }

    @AfterEach
    void dropSlots() {
        postgres.dropSlots(database);
    }

    @Test
    void anOlderServerIsToldFromANewEnoughOne() {
        assertRefused(() -> FAILOVER.requireSupported(16), "postgres.slot-failover=true", "PostgreSQL 16");
        assertRefused(() -> LOCAL.requireSupported(15), "postgres.origin=none", "PostgreSQL 15");
        assertThatCode(() -> FAILOVER.requireSupported(17)).doesNotThrowAnyException();
        assertThatCode(() -> LOCAL.requireSupported(16)).doesNotThrowAnyException();
        assertThatCode(() -> SlotOptions.ORDINARY.requireSupported(14)).doesNotThrowAnyException();
    }

    @Test
    void anOlderServerIsRefusedBeforeASlotIsMade() {
        assumeTrue(postgres.serverMajor() < 17, "17 can");
        assertRefused(() -> open(FAILOVER).close(), "postgres.slot-failover=true");
    }

    @Test
    void aSlotFailsOverFromItsCreationOn() {
        assumeTrue(postgres.serverMajor() >= 17, "failover came with 17");
        try (SourceSession session = open(FAILOVER)) {
            session.createSlot().close();
            assertThat(failsOver()).isEqualTo("t");
            session.start();
        }
    }

    @Test
    void aSlotThatWasMadeWithoutIsAltered() {
        assumeTrue(postgres.serverMajor() >= 17, "failover came with 17");
        try (SourceSession session = open(SlotOptions.ORDINARY)) {
            session.createSlotWithoutSnapshot();
        }
        assertThat(failsOver()).isEqualTo("f");
        TestPostgres.await(
                "the slot to be let go",
                () -> postgres.query(database, "SELECT count(*) FROM pg_replication_slots WHERE active")
                        .equals("0"));
        try (SourceSession session = open(FAILOVER)) {
            session.start();
            assertThat(failsOver()).isEqualTo("t");
        }
    }

    @Test
    void withoutOriginWhatWasReplicatedToTheSourceIsLeftOut() {
        assumeTrue(postgres.serverMajor() >= 16, "origin came with 16");
        try (SourceSession session = open(LOCAL)) {
            session.createSlotWithoutSnapshot();
            session.start();
            postgres.execute(
                    database,
                    "SELECT pg_replication_origin_create('%s')".formatted(database),
                    "SELECT pg_replication_origin_session_setup('%s')".formatted(database),
                    "INSERT INTO t VALUES (1)",
                    "SELECT pg_replication_origin_session_reset()",
                    "INSERT INTO t VALUES (2)");
            var probe = new StreamProbe(session);
            probe.readUntil("the local row", () -> probe.inserts == 1);
            assertThat(probe.inserted).containsExactly(List.of("2"));
        }
    }

    private SourceSession open(SlotOptions options) {
        return new PostgresSource(ordinary.with(options), InstantSource.system()).open();
    }

    private String failsOver() {
        return postgres.query(
                database,
                "SELECT failover FROM pg_replication_slots WHERE slot_name = '%s'".formatted(ordinary.slot()));
    }

    private static void assertRefused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOfSatisfying(SourceFailure.class, e -> {
            assertThat(e.kind()).isEqualTo(Kind.MISCONFIGURED);
            assertThat(e).hasMessageContainingAll(words);
            assertThat(e.remedy()).isNotBlank();
        });
    }
}
