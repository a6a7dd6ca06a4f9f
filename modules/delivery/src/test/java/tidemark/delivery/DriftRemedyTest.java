package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.DriftPolicy;

class DriftRemedyTest {
    private static final RelationName TABLE = new RelationName("public", "t");
    private static final Drift PARTITIONS =
            new Drift(DriftKind.PARTITIONS, new Finding("public.t -> t", "attached p", "read it again"));
    private static final Drift COLUMNS =
            new Drift(DriftKind.COLUMNS, new Finding("public.t -> t column c", "renamed", "read it again"));

    private ResyncReply reply = new ResyncReply.Accepted();
    private int asked;

    private DriftRemedy remedy(DriftPolicy policy) {
        return new DriftRemedy(policy, _ -> {
            asked++;
            return reply;
        });
    }

    @Test
    void whatIsStillThereRightAfterItWasReadAgainIsOnlyReported() {
        DriftRemedy remedy = remedy(DriftPolicy.RESYNC);
        for (int look = 0; look < 5; look++) remedy.found(TABLE, List.of(PARTITIONS));
        assertThat(asked).isEqualTo(1);
        remedy.found(TABLE, List.of(PARTITIONS, COLUMNS));
        assertThat(asked).as("another kind").isEqualTo(2);
        remedy.found(TABLE, List.of());
        remedy.found(TABLE, List.of(PARTITIONS));
        assertThat(asked).as("it was gone").isEqualTo(3);
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
    }

    @Test
    void byDefaultNobodyIsAsked() {
        remedy(DriftPolicy.REPORT).found(TABLE, List.of(PARTITIONS));
        assertThat(asked).isZero();
    }
}
