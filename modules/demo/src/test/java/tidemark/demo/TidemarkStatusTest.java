package tidemark.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;

class TidemarkStatusTest {
    private static final String STREAMING = """
            {"phase": "streaming", "ready": true, "sessions": 2,
             "positions": {"walEnd": "0/28", "received": "0/20", "completed": "0/20", "confirmed": "0/20"},
             "lag": {"bytes": 8, "retainedWalBytes": 900},
             "batches": {"accepted": 4, "completed": 4, "inFlight": 0},
             "tables": [{"postgres": "public.orders", "feldera": "orders", "state": "streaming", "copiedRows": 10,
                         "estimatedRows": 12, "inserts": 3, "updates": 2, "deletes": 1, "batches": 4}]}
            """;

    @Test
    void readsWhatTheServiceSays() {
        TidemarkStatus status = TidemarkStatus.parse(STREAMING);
        assertThat(status.lagBytes()).isEqualTo(8);
        assertThat(status.waitingFor()).isEmpty();
        assertThat(status.deliveredRows()).isEqualTo(16);
    }

    @Test
    void isSettledOnlyWhenEverythingUpToTheTargetIsConfirmedAndEveryTableStreams() {
        assertThat(TidemarkStatus.parse(STREAMING).isSettledAt(Lsn.parse("0/20")))
                .isTrue();
        assertThat(TidemarkStatus.parse(STREAMING).isSettledAt(Lsn.parse("0/21")))
                .isFalse();
        assertThat(TidemarkStatus.parse(STREAMING.replace("\"state\": \"streaming\"", "\"state\": \"pending\""))
                        .isSettledAt(Lsn.parse("0/20")))
                .isFalse();
        assertThat(TidemarkStatus.parse(STREAMING.replace("\"inFlight\": 0", "\"inFlight\": 1"))
                        .isSettledAt(Lsn.parse("0/20")))
                .isFalse();
    }

    @Test
    void whatIsNoStatusIsAProtocolFailure() {
        assertThatThrownBy(() -> TidemarkStatus.parse("{\"phase\": \"streaming\"}"))
                .isInstanceOfSatisfying(
                        DemoFailure.class,
                        failure -> assertThat(failure.exitCode()).isEqualTo(76));
    }
}
