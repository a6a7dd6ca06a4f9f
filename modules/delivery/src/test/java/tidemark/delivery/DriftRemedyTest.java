package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.DriftPolicy;

class DriftRemedyTest {
    private static final RelationName TABLE = new RelationName("public", "t");
    private static final Drift PARTITIONS =
            new Drift(DriftKind.PARTITIONS, new Finding("public.t -> t", "attached p", "read it again"));
    private static final Drift MORE_PARTITIONS =
            new Drift(DriftKind.PARTITIONS, new Finding("public.t -> t", "attached q", "read it again"));
    private static final Drift COLUMNS =
            new Drift(DriftKind.COLUMNS, new Finding("public.t -> t column c", "renamed", "read it again"));

    private ResyncReply reply = new ResyncReply.Accepted();
    private boolean failed;
    private Instant now = Instant.EPOCH;
    private int asked;

    private DriftRemedy remedy(DriftPolicy policy) {
        return new DriftRemedy(
                policy,
                _ -> {
                    asked++;
                    failed = false;
                    return reply;
                },
                _ -> failed,
                () -> now);
    }

    @Test
    void whatIsStillThereRightAfterItWasReadAgainIsOnlyReported() {
        DriftRemedy remedy = remedy(DriftPolicy.RESYNC);
        for (int look = 0; look < 5; look++) {
            remedy.found(TABLE, List.of(PARTITIONS));
            now = now.plus(DriftRemedy.LONGEST);
        }
        assertThat(asked).isEqualTo(1);
        remedy.found(TABLE, List.of(PARTITIONS, COLUMNS));
        assertThat(asked).as("another kind").isEqualTo(2);
        remedy.found(TABLE, List.of(MORE_PARTITIONS));
        assertThat(asked).as("another one of the same kind").isEqualTo(3);
        remedy.found(TABLE, List.of(PARTITIONS));
        assertThat(asked).as("not in circles").isEqualTo(3);
        remedy.found(TABLE, List.of());
        remedy.found(TABLE, List.of(PARTITIONS));
        assertThat(asked).as("it was gone").isEqualTo(4);
    }

    @Test
    void whatFailedIsAskedForAgainAfterEverLongerWaits() {
        DriftRemedy remedy = remedy(DriftPolicy.RESYNC);
        remedy.found(TABLE, List.of(PARTITIONS));
        Duration wait = DriftRemedy.FIRST;
        for (int time = 2; time < 12; time++) {
            failed = true;
            now = now.plus(wait).minusMillis(1);
            remedy.found(TABLE, List.of(PARTITIONS));
            assertThat(asked).as("too soon, the %dth time", time).isEqualTo(time - 1);
            now = now.plusMillis(1);
            remedy.found(TABLE, List.of(PARTITIONS));
            assertThat(asked).isEqualTo(time);
            wait = wait.multipliedBy(2).compareTo(DriftRemedy.LONGEST) > 0 ? DriftRemedy.LONGEST : wait.multipliedBy(2);
        }
        failed = true;
        remedy.found(TABLE, List.of(PARTITIONS, COLUMNS));
        assertThat(asked).as("another drift need not wait").isEqualTo(12);
    }

    @Test
    void itIsAskedForUntilSomebodyListens() {
        DriftRemedy remedy = remedy(DriftPolicy.RESYNC);
        reply = new ResyncReply.NotStreaming();
        for (int look = 0; look < 3; look++) remedy.found(TABLE, List.of(PARTITIONS));
        assertThat(asked).isEqualTo(3);
        reply = new ResyncReply.Refused("it cannot be compared", "none");
        for (int look = 0; look < 3; look++) remedy.found(TABLE, List.of(PARTITIONS));
        assertThat(asked).isEqualTo(4);
        now = now.plus(DriftRemedy.FIRST);
        remedy.found(TABLE, List.of(PARTITIONS));
        assertThat(asked).as("whoever refused may think otherwise").isEqualTo(5);
    }

    @Test
    void byDefaultNobodyIsAsked() {
        remedy(DriftPolicy.REPORT).found(TABLE, List.of(PARTITIONS));
        assertThat(asked).isZero();
    }
}
