package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tidemark.replication.SlotStatus;
import tidemark.replication.SourceFailure;
import tidemark.replication.SourceIdentity;
import tidemark.sink.Problem;
import tidemark.sink.SinkFailure;

class FailurePolicyTest {
    private static final String VALUE = "7777-13-45";

    /** The source leaves out of its message what a server's may quote; beneath it the driver's is whole. */
    @ParameterizedTest
    @EnumSource
    void tellsOfTheSourceOnlyWhatItSaysItself(SourceFailure.Kind kind) {
        var driver = new IllegalStateException("ERROR: date field value out of range: " + VALUE);
        Failure failure = FailurePolicy.of(new SourceFailure(kind, "copy public.users", "look", driver));
        assertThat(failure.what()).isEqualTo("copy public.users");
    }

    @ParameterizedTest
    @CsvSource({"CREDENTIALS, 77", "MISCONFIGURED, 78", "SLOT_LOST, 78", "DATA, 65", "PROTOCOL, 76", "PERMANENT, 76"})
    void aFailureOfTheSourceThatDoesNotPassEndsWithItsCode(SourceFailure.Kind kind, int code) {
        Failure failure = FailurePolicy.of(new SourceFailure(kind, "copy public.users", "look"));
        ExitCode exit = switch (failure) {
            case Failure.Permanent permanent -> permanent.exit();
            case Failure.Misconfigured misconfigured -> misconfigured.exit();
            case Failure.Transient passing -> throw new AssertionError(passing);
        };
        assertThat(exit.code()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({"TRANSIENT, false", "SLOT_BUSY, true"})
    void aFailureOfTheSourceThatPassesIsTriedAgain(SourceFailure.Kind kind, boolean onSlot) {
        assertThat(FailurePolicy.of(new SourceFailure(kind, "copy public.users", "look")))
                .isEqualTo(new Failure.Transient("copy public.users", "look", onSlot));
    }

    /** Whoever has to decide is told the setting that lets it go on; where it may, the next session goes on. */
    @Test
    void aSlotThatIsLostHasARemedyThatWorks() {
        var lost = new SourceFailure(SourceFailure.Kind.SLOT_LOST, "start: it is lost", "raise it");
        assertThat(FailurePolicy.of(lost, false))
                .isEqualTo(new Failure.Misconfigured(
                        ExitCode.CONFIGURATION, "start: it is lost", Remedy.MEND + " And raise it."));
        assertThat(FailurePolicy.of(lost, true)).isEqualTo(Failure.peer("start: it is lost", "raise it"));
    }

    @Test
    void aDefectIsToldByItsPlaceAndNotByItsMessage() {
        var defect = new NumberFormatException("For input string: " + VALUE);
        Failure failure = FailurePolicy.of(defect);
        assertThat(failure.what())
                .contains("NumberFormatException", "FailurePolicyTest.aDefectIsToldByItsPlace")
                .doesNotContain(VALUE)
                .doesNotContain("\n");
    }

    /** Nobody reads from it while tables are copied. */
    @Test
    void aSlotThatIsLostForBeingIdleHasItsOwnRemedy() {
        var source = new SourceIdentity("7", 1, "shop", "tidemark", 18);
        assertThat(FailurePolicy.ofSlot(source, new SlotStatus.Lost("idle_timeout"))
                        .remedy())
                .contains("idle_replication_slot_timeout = 0");
        assertThat(FailurePolicy.ofSlot(source, new SlotStatus.Lost("wal_removed"))
                        .remedy())
                .contains("max_slot_wal_keep_size");
    }

    @Test
    void theStateFileSaysWhyItCannotBeUsed() {
        var state = new UnreadableState("the state file x cannot be read", "look", new IOException("Is a directory"));
        assertThat(FailurePolicy.of(state).what()).isEqualTo("the state file x cannot be read: Is a directory");
    }

    @Test
    void anUnreachableFelderaIsToldByItsSettingAndWithoutAnHttpStatus() {
        Failure failure = FailurePolicy.ofSink(
                new Problem("get pipeline p", 0, "", "java.net.ConnectException", SinkFailure.Kind.TRANSIENT));
        assertThat(failure.what()).isEqualTo("get pipeline p: java.net.ConnectException");
        assertThat(failure.remedy()).contains("feldera.url");
    }
}
