package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.decode.PgOutputDecoder;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.Tuple;
import tidemark.replication.ChangeSource;
import tidemark.replication.PartReader;
import tidemark.replication.SharedCopy;
import tidemark.replication.SlotStatus;
import tidemark.replication.Snapshot;
import tidemark.replication.SourceFailure;
import tidemark.replication.SourceSession;
import tidemark.replication.SourceSession.Received;
import tidemark.replication.TableCopy;
import tidemark.replication.TableEdition;
import tidemark.replication.TablePart;
import tidemark.replication.TableShape;

/** The facts about PostgreSQL on which the core rests, of the scripted one and of a real one (postgres.md). */
abstract class SourceContract {
    private static final int LONGEST_POLLS = 200_000;

    /** Of a table {@code t0 (id bigint PRIMARY KEY, v text, big text)}, the only one that is published. */
    abstract ChangeSource source();

    abstract void insert(long id);

    /** Changes {@code v} and leaves a large {@code big} alone. */
    abstract void touch(long id);

    abstract void changeKey(long from, long to);

    abstract void delete(long id);

    abstract void addColumn();

    abstract void somethingElse();

    /** Rewrites t0 as some ALTER TABLE do. Returns false if it would have to wait. */
    abstract boolean writeAnew();

    /** With a source of the same slot that has little patience, and a transaction open that is older than the slot. */
    abstract void whileATransactionIsOpen(Consumer<ChangeSource> impatient);

    /** Of the caller's clock. */
    abstract long nanos();

    /** What one session reads, as words. */
    private final class Reading {
        private final SourceSession session;
        private final PgOutputDecoder decoder = new PgOutputDecoder();
        private final List<String> words = new ArrayList<>();
        private Lsn commitLsn = Lsn.ZERO;
        private Lsn end = Lsn.ZERO;
        private Lsn keepalive = Lsn.ZERO;
        private boolean open;

        Reading(SourceSession session) {
            this.session = session;
        }

        void until(BooleanSupplier condition) {
            for (int polls = 0; !condition.getAsBoolean(); polls++) {
                assertThat(polls).as("polls; read so far: %s", words).isLessThan(LONGEST_POLLS);
                session.heartbeat(nanos());
                switch (session.poll()) {
                    case Received.Nothing() -> {}
                    case Received.Keepalive(Lsn walEnd) -> keepalive = open ? keepalive : walEnd;
                    case Received.WalMessage message -> read(message);
                }
            }
        }

        void untilCommits(int commits) {
            until(() -> words.stream().filter("commit"::equals).count() == commits);
        }

        private void read(Received.WalMessage message) {
            switch (decoder.decode(message.buffer(), message.offset(), message.length())) {
                case PgOutputMessage.Begin begin -> {
                    open = true;
                    commitLsn = begin.commitLsn();
                }
                case PgOutputMessage.Commit commit -> {
                    open = false;
                    assertThat(commit.commitLsn()).isEqualTo(commitLsn);
                    end = commit.endLsn();
                    words.add("commit");
                }
                case PgOutputMessage.Relation relation ->
                    words.add("relation of %d".formatted(relation.columns().size()));
                case PgOutputMessage.Insert(int _, Tuple row) -> words.add("insert " + row.text(0));
                case PgOutputMessage.Update(int _, PgOutputMessage.Absent _, Tuple row) ->
                    words.add("touch %s %s".formatted(row.text(0), row.kind(2)));
                case PgOutputMessage.Update(int _, PgOutputMessage.Key(Tuple old), Tuple row) ->
                    words.add("key %s to %s".formatted(old.text(0), row.text(0)));
                case PgOutputMessage.Delete(int _, PgOutputMessage.LoggedImage old) ->
                    words.add("delete " + old.columns().text(0));
                default -> throw new AssertionError("not expected");
            }
        }
    }

    private SourceSession started() {
        for (int attempts = 0; ; attempts++) {
            SourceSession session = source().open();
            try {
                session.start();
                return session;
            } catch (SourceFailure busy) {
                session.close();
                if (busy.kind() != SourceFailure.Kind.SLOT_BUSY || attempts > 500) throw busy;
                somethingElse();
            }
        }
    }

    private void createSlot() {
        try (SourceSession session = source().open()) {
            session.createSlotWithoutSnapshot();
        }
    }

    @Test
    void aSlotThatWaitedForTooLongIsNotThere() {
        whileATransactionIsOpen(impatient -> {
            try (SourceSession session = impatient.open()) {
                assertThatExceptionOfType(SourceFailure.class)
                        .isThrownBy(session::createSlot)
                        .satisfies(late -> assertThat(late.kind()).isEqualTo(SourceFailure.Kind.TRANSIENT));
                assertThat(session.slot()).isEqualTo(new SlotStatus.Missing());
            }
        });
        createSlot();
        assertThat(confirmed()).isPresent();
    }

    @Test
    void whatIsNotConfirmedIsSentAgain() {
        createSlot();
        insert(1);
        insert(2);
        Lsn first;
        try (SourceSession session = started()) {
            var reading = new Reading(session);
            reading.untilCommits(1);
            first = reading.end;
            reading.untilCommits(2);
            assertThat(reading.words).containsExactly("relation of 3", "insert 1", "commit", "insert 2", "commit");
            session.positions(reading.end, first);
            reading.until(() -> confirmed().equals(Optional.of(first)));
        }
        try (SourceSession session = started()) {
            var reading = new Reading(session);
            reading.untilCommits(1);
            assertThat(reading.words).containsExactly("relation of 3", "insert 2", "commit");
        }
    }

    /** The reason why end LSNs are confirmed and commit LSNs are not. */
    @Test
    void aTransactionWhoseCommitLsnIsConfirmedIsSentAgain() {
        createSlot();
        insert(1);
        try (SourceSession session = started()) {
            var reading = new Reading(session);
            reading.untilCommits(1);
            Lsn commitLsn = reading.commitLsn;
            session.positions(reading.end, commitLsn);
            reading.until(() -> confirmed().equals(Optional.of(commitLsn)));
        }
        try (SourceSession session = started()) {
            var reading = new Reading(session);
            reading.untilCommits(1);
            assertThat(reading.words).contains("insert 1");
        }
    }

    private Optional<Lsn> confirmed() {
        return source().slot() instanceof SlotStatus.Usable usable
                ? Optional.of(usable.confirmedFlush())
                : Optional.empty();
    }

    @Test
    void changesSayWhichRowTheyAreAboutAndShapesComeBeforeThem() {
        createSlot();
        insert(1);
        changeKey(1, 5);
        addColumn();
        insert(2);
        delete(5);
        try (SourceSession session = started()) {
            var reading = new Reading(session);
            reading.untilCommits(4);
            assertThat(reading.words)
                    .containsExactly(
                            "relation of 3",
                            "insert 1",
                            "commit",
                            "key 1 to 5",
                            "commit",
                            "relation of 4",
                            "insert 2",
                            "commit",
                            "delete 5",
                            "commit");
        }
    }

    @Test
    void aLargeValueThatAnUpdateLeavesAloneIsNotSent() {
        createSlot();
        insert(1);
        touch(1);
        try (SourceSession session = started()) {
            var reading = new Reading(session);
            reading.untilCommits(2);
            assertThat(reading.words)
                    .containsExactly("relation of 3", "insert 1", "commit", "touch 1 UNCHANGED_TOAST", "commit");
        }
    }

    @Test
    void anIdleStreamSaysHowFarItIs() {
        createSlot();
        try (SourceSession session = started()) {
            var reading = new Reading(session);
            somethingElse();
            Lsn head = source().walEnd();
            reading.until(() -> !head.isAfter(reading.keepalive));
            assertThat(reading.words).isEmpty();
        }
    }

    @Test
    void oneSessionHoldsTheSlot() {
        createSlot();
        try (SourceSession first = started();
                SourceSession second = source().open()) {
            assertThat(first.holdsSlot()).isTrue();
            assertThatExceptionOfType(SourceFailure.class)
                    .isThrownBy(second::start)
                    .satisfies(busy -> assertThat(busy.kind()).isEqualTo(SourceFailure.Kind.SLOT_BUSY));
        }
    }

    @Test
    void aSnapshotAndTheStreamFromItMeetWithoutAGap() {
        insert(1);
        insert(2);
        try (SourceSession session = source().open()) {
            TableShape shape = session.publication().tables().getFirst();
            try (Snapshot snapshot = session.createSlot()) {
                insert(3);
                try (TableCopy copy = snapshot.copy(shape)) {
                    assertThat(keys(copy)).containsExactly("1", "2");
                }
                assertThat(confirmed()).contains(snapshot.consistentPoint());
            }
            session.start();
            var reading = new Reading(session);
            reading.untilCommits(1);
            assertThat(reading.words).contains("insert 3");
        }
    }

    private static List<String> keys(TableCopy copy) {
        List<String> keys = new ArrayList<>();
        for (Optional<Tuple> row = copy.next(); row.isPresent(); row = copy.next()) {
            keys.add(row.get().text(0));
        }
        return keys.stream().sorted().toList();
    }

    /** Whoever reads which part, and in whichever order. */
    @Test
    void partsThatReadersShareAreTheSnapshotTogether() {
        for (long id = 1; id <= 6; id++) insert(id);
        try (SourceSession session = source().open();
                Snapshot snapshot = session.createSlot()) {
            delete(6);
            insert(7);
            List<TableShape> tables = session.publication().tables();
            try (SharedCopy shared = snapshot.share(tables, 2, 1)) {
                assertThat(shared.readers())
                        .hasSizeBetween(1, Math.min(2, shared.parts().size()));
                changeKey(5, 8);
                List<String> copied = new ArrayList<>();
                for (TablePart part : shared.parts().reversed()) {
                    PartReader reader = shared.readers()
                            .get(copied.size() % shared.readers().size());
                    try (TableCopy copy = reader.copy(part)) {
                        copied.addAll(keys(copy));
                    }
                }
                assertThat(copied).containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6");
            }
        }
    }

    @Test
    void aReaderThatWasClosedReadsNothing() {
        insert(1);
        try (SourceSession session = source().open();
                Snapshot snapshot = session.createSlot()) {
            SharedCopy shared = snapshot.share(session.publication().tables(), 1, 1);
            shared.close();
            assertThatExceptionOfType(SourceFailure.class)
                    .isThrownBy(() ->
                            shared.readers().getFirst().copy(shared.parts().getFirst()))
                    .satisfies(ended -> assertThat(ended.kind()).isEqualTo(SourceFailure.Kind.TRANSIENT));
        }
    }

    /** Under a snapshot from before (PostgreSQL, "Caveats" of MVCC): without its edition nobody would know. */
    @Test
    void aTableThatWasWrittenAnewReadsAsEmptyAndIsAnotherEdition() {
        insert(1);
        try (SourceSession session = source().open();
                Snapshot snapshot = session.createSlot()) {
            TableShape shape = session.publication().tables().getFirst();
            List<TableEdition> before = source().editions(List.of(shape.name()));
            assertThat(writeAnew()).isTrue();
            try (TableCopy copy = snapshot.copy(shape)) {
                assertThat(keys(copy)).isEmpty();
            }
            assertThat(source().editions(List.of(shape.name()))).isNotEqualTo(before);
        }
    }

    @Test
    void nobodyWritesATableAnewThatIsBeingCopied() {
        insert(1);
        try (SourceSession session = source().open();
                Snapshot snapshot = session.createSlot()) {
            List<TableShape> tables = session.publication().tables();
            try (TableCopy _ = snapshot.copy(tables.getFirst())) {
                assertThat(writeAnew()).isFalse();
            }
            try (SharedCopy shared = snapshot.share(tables, 1, 1)) {
                assertThat(writeAnew()).isFalse();
                List<String> copied = new ArrayList<>();
                for (TablePart part : shared.parts()) {
                    try (TableCopy copy = shared.readers().getFirst().copy(part)) {
                        copied.addAll(keys(copy));
                    }
                }
                assertThat(copied).containsExactly("1");
            }
        }
    }
}
