package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.sink.FelderaName;

class OutboxTest {
    private static final FelderaName USERS = new FelderaName("users", false);
    private static final FelderaName ITEMS = new FelderaName("items", false);
    private static final Lsn END = Lsn.parse("0/200");
    private static final long LINGER = Duration.ofMillis(50).toNanos();

    private final Outbox outbox = outbox(3, Duration.ofMillis(50));

    @Test
    void joinsWholeTransactionsUntilTheOldestRowHasLingered() {
        transaction(END, 0, USERS);
        transaction(Lsn.parse("0/300"), 10, USERS);
        assertThat(outbox.isDue(LINGER - 1)).isFalse();
        assertThat(outbox.isDue(LINGER)).isTrue();
        assertThat(outbox.cut().endLsn()).contains(Lsn.parse("0/300"));
        assertThat(outbox.isEmpty()).isTrue();
    }

    @Test
    void aTransactionThatIsStillOpenIsNotCutByLingerButByTheBound() {
        outbox.begin();
        add(USERS, 0);
        add(USERS, 0);
        assertThat(outbox.isDue(10 * LINGER)).isFalse();
        add(USERS, 0);
        assertThat(outbox.isFull()).isTrue();
        assertThat(outbox.cut().endLsn()).as("a part has no end").isEmpty();
        outbox.commit(END);
        assertThat(outbox.isEmpty()).isTrue();
    }

    /** Each of many tables has once filled a batch alone: what is kept for reuse is bounded all the same. */
    @Test
    void keepsNoMoreMemoryForManyTablesThanForOne() {
        Outbox wide = outbox(1000, Duration.ZERO);
        byte[] row = new byte[9 << 20];
        wide.begin();
        for (int table = 0; table < 6; table++) {
            RowBytes body = wide.into(new FelderaName("t" + table, false));
            body.beginOperation(row);
            wide.added(1, row.length, 0);
        }
        wide.commit(END);
        wide.cut().bodies().forEach(body -> wide.release(body.bytes()));
        assertThat(wide.spareBytes()).isPositive().isLessThanOrEqualTo(2L * (16 << 20));
    }

    @Test
    void keepsTheOrderOfEachTablesFirstRow() {
        outbox.begin();
        add(ITEMS, 0);
        add(USERS, 0);
        add(ITEMS, 0);
        outbox.commit(END);
        assertThat(outbox.cut().bodies()).extracting(Batch.Body::table).containsExactly(ITEMS, USERS);
    }

    @Test
    void withoutLingerEveryTransactionIsAFlushOfItsOwn() {
        Outbox eager = outbox(1000, Duration.ZERO);
        eager.begin();
        add(eager, USERS, 0);
        assertThat(eager.isFull()).isFalse();
        eager.commit(END);
        assertThat(eager.isFull()).isTrue();
        assertThat(eager.isDue(0)).isTrue();
    }

    @Test
    void forgetsExactlyTheTransactionThatWasNotReadToItsEnd() {
        transaction(END, 0, USERS);
        outbox.begin();
        add(USERS, 1);
        add(ITEMS, 1);
        assertThat(outbox.dropOpenTransaction()).as("parts of it went").isFalse();
        Batch batch = outbox.cut();
        assertThat(texts(batch)).containsExactly("[{\"insert\":0}]");
        assertThat(batch.endLsn()).contains(END);
    }

    @Test
    void dropsEverythingWhenNoTransactionWasWhole() {
        outbox.begin();
        add(USERS, 1);
        outbox.dropOpenTransaction();
        assertThat(outbox.isEmpty()).isTrue();
    }

    @Test
    void knowsWhetherPartsOfTheOpenTransactionWent() {
        transaction(END, 0, USERS);
        outbox.begin();
        outbox.cut();
        assertThat(outbox.dropOpenTransaction()).as("rows of the one before").isFalse();
        outbox.begin();
        add(USERS, 1);
        outbox.cut();
        assertThat(outbox.dropOpenTransaction()).isTrue();
    }

    @Test
    void aKeepaliveMovesTheEndOfABatchThatHasRowsAndOfNoOther() {
        outbox.coveredUntil(Lsn.parse("0/900"));
        transaction(END, 0, USERS);
        assertThat(outbox.cut().endLsn()).contains(END);
        transaction(Lsn.parse("0/A00"), 0, USERS);
        outbox.coveredUntil(Lsn.parse("0/B00"));
        assertThat(outbox.cut().endLsn()).contains(Lsn.parse("0/B00"));
    }

    @Test
    void reusesABufferOnlyAfterItsReply() {
        transaction(END, 0, USERS);
        Batch first = outbox.cut();
        transaction(Lsn.parse("0/300"), 1, USERS);
        assertThat(texts(first)).containsExactly("[{\"insert\":0}]");
        RowBytes answered = first.bodies().getFirst().bytes();
        outbox.release(answered);
        outbox.cut();
        assertThat(outbox.into(USERS)).isSameAs(answered);
    }

    /** What was filled elsewhere is a batch of its own, whatever is open around it. */
    @Test
    void aFilledBodyIsDueAtOnceAndHasNoEnd() {
        Outbox patient = outbox(1000, Duration.ofHours(1));
        patient.begin();
        patient.take(ITEMS, filled(patient.blank()));
        assertThat(patient.isFull()).as("no row may come between").isTrue();
        assertThat(patient.isDue(0)).isTrue();
        Batch batch = patient.cut();
        assertThat(batch.bodies()).extracting(Batch.Body::table).containsExactly(ITEMS);
        assertThat(texts(batch)).containsExactly("[{\"insert\":7},{\"insert\":7}]");
        assertThat(batch.endLsn()).isEmpty();
        assertThat(patient.isEmpty()).isTrue();
        add(patient, USERS, 0);
        assertThat(patient.isDue(0)).as("rows that follow are a part as any").isFalse();
    }

    @Test
    void refusesAFilledBodyBesideRowsAndOneWithoutOperations() {
        assertThatExceptionOfType(InvariantViolation.class).isThrownBy(() -> outbox.take(USERS, outbox.blank()));
        transaction(END, 0, USERS);
        assertThatExceptionOfType(InvariantViolation.class)
                .isThrownBy(() -> outbox.take(ITEMS, filled(outbox.blank())));
    }

    @Test
    void aFilledBodyGoesWithItsTransaction() {
        outbox.begin();
        outbox.take(USERS, filled(outbox.blank()));
        outbox.dropOpenTransaction();
        assertThat(outbox.isEmpty()).isTrue();
        assertThat(outbox.isDue(10 * LINGER)).isFalse();
        outbox.begin();
        outbox.take(ITEMS, filled(outbox.blank()));
        assertThat(outbox.cut().bodies()).extracting(Batch.Body::table).containsExactly(ITEMS);
    }

    @Test
    void aBodyThatWasReleasedIsTheNextBlank() {
        RowBytes body = filled(outbox.blank());
        outbox.take(USERS, body);
        outbox.release(outbox.cut().bodies().getFirst().bytes());
        assertThat(outbox.blank()).isSameAs(body);
        assertThat(body.operations()).isZero();
    }

    @Test
    void refusesACommitWithoutItsBegin() {
        assertThatExceptionOfType(InvariantViolation.class).isThrownBy(() -> outbox.commit(END));
    }

    private void transaction(Lsn end, long nanos, FelderaName table) {
        outbox.begin();
        add(table, nanos);
        outbox.commit(end);
    }

    private void add(FelderaName table, long nanos) {
        add(outbox, table, nanos);
    }

    private static void add(Outbox outbox, FelderaName table, long nanos) {
        RowBytes body = outbox.into(table);
        long mark = body.mark();
        body.beginOperation(("{\"insert\":" + nanos + "}").getBytes(StandardCharsets.US_ASCII));
        outbox.added(1, body.bytesSince(mark), nanos);
    }

    private static RowBytes filled(RowBytes blank) {
        for (int row = 0; row < 2; row++) blank.beginOperation(RowBytes.ascii("{\"insert\":7}"));
        return blank;
    }

    private static List<String> texts(Batch batch) {
        return batch.bodies().stream()
                .map(body -> new String(body.bytes().array(), 0, body.bytes().length(), StandardCharsets.UTF_8))
                .toList();
    }

    private static Outbox outbox(int maxRows, Duration linger) {
        return new Outbox(Settings.of(Path.of("unused"), maxRows, linger, "users"));
    }
}
