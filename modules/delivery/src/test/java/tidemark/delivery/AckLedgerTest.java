package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.sink.FelderaName;

class AckLedgerTest {
    private static final Lsn RESUME = Lsn.parse("0/100");
    private static final FelderaName USERS = new FelderaName("users", false);

    /** The promise to the operator: WAL that Feldera has not finished with stays on disk. */
    @Test
    void confirmableStopsAtTheOldestUnsettledBatch() {
        // given two batches on their way to the destination
        var ledger = new AckLedger(RESUME, Map.of(), 2);
        ledger.submitted(1, at("0/200"));
        ledger.submitted(2, at("0/300"));
        // when the later one settles first
        ledger.settled(2);
        // then nothing may be confirmed yet
        assertThat(ledger.confirmableLsn()).isEqualTo(RESUME);
        // and when the earlier one follows, both may
        ledger.settled(1);
        assertThat(ledger.confirmableLsn()).isEqualTo(Lsn.parse("0/300"));
    }

    @Test
    void partsOfAnOversizedTransactionConfirmNothingUntilItsLastPartSettles() {
        var ledger = new AckLedger(RESUME, Map.of(), 2);
        ledger.submitted(1, Optional.empty());
        ledger.submitted(2, at("0/900"));
        ledger.settled(1);
        assertThat(ledger.confirmableLsn()).isEqualTo(RESUME);
        ledger.settled(2);
        assertThat(ledger.confirmableLsn()).isEqualTo(Lsn.parse("0/900"));
    }

    @Test
    void aKeepaliveBehindBatchesInFlightIsConfirmableOnlyWithTheLastOfThem() {
        var ledger = new AckLedger(RESUME, Map.of(), 2);
        ledger.submitted(1, at("0/200"));
        ledger.submitted(2, at("0/300"));
        ledger.coveredUntil(Lsn.parse("0/800"));
        ledger.settled(1);
        assertThat(ledger.confirmableLsn()).isEqualTo(Lsn.parse("0/200"));
        ledger.settled(2);
        assertThat(ledger.confirmableLsn()).isEqualTo(Lsn.parse("0/800"));
    }

    @Test
    void anOldKeepaliveNeverTakesAPositionBack() {
        var ledger = new AckLedger(RESUME, Map.of(), 2);
        ledger.coveredUntil(Lsn.parse("0/50"));
        assertThat(ledger.confirmableLsn()).isEqualTo(RESUME);
        ledger.submitted(1, at("0/300"));
        ledger.coveredUntil(Lsn.parse("0/200"));
        ledger.settled(1);
        assertThat(ledger.confirmableLsn()).isEqualTo(Lsn.parse("0/300"));
    }

    /** R1: counts are those at the batch's end, not what later batches have added since. */
    @Test
    void theMarkHoldsTheCountsOfTheSettledPrefixOnly() {
        var ledger = new AckLedger(RESUME, Map.of(USERS, 7L), 2);
        ledger.submitted(1, at("0/200"));
        ledger.counted(1, USERS, 10);
        ledger.submitted(2, at("0/300"));
        ledger.counted(2, USERS, 15);
        ledger.settled(2);
        assertThat(ledger.confirmable()).isEqualTo(new Mark(RESUME, Map.of(USERS, 7L)));
        ledger.settled(1);
        assertThat(ledger.confirmable()).isEqualTo(new Mark(Lsn.parse("0/300"), Map.of(USERS, 15L)));
    }

    /** R1: {@code count} covers the table up to the mark's position, and the part's rows lie after it. */
    @Test
    void theMarkDoesNotCountPartsOfATransactionWhoseEndIsNotSettled() {
        var ledger = new AckLedger(RESUME, Map.of(USERS, 7L), 2);
        ledger.submitted(1, Optional.empty());
        ledger.counted(1, USERS, 10);
        ledger.settled(1);
        assertThat(ledger.confirmable()).isEqualTo(new Mark(RESUME, Map.of(USERS, 7L)));
        ledger.submitted(2, at("0/300"));
        ledger.settled(2);
        assertThat(ledger.confirmable()).isEqualTo(new Mark(Lsn.parse("0/300"), Map.of(USERS, 10L)));
    }

    @Test
    void takesNoMoreBatchesThanTheWindowHolds() {
        var ledger = new AckLedger(RESUME, Map.of(), 1);
        ledger.submitted(1, at("0/200"));
        assertThat(ledger.hasRoom()).isFalse();
        assertThatExceptionOfType(InvariantViolation.class).isThrownBy(() -> ledger.submitted(2, at("0/300")));
    }

    private static Optional<Lsn> at(String lsn) {
        return Optional.of(Lsn.parse(lsn));
    }
}
