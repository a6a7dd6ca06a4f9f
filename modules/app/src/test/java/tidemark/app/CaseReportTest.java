package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CaseReportTest {
    private static final CaseJudge.Verdict HOLDS = new CaseJudge.Verdict.Holds(false);
    private static final CaseJudge.Verdict REFUSES = new CaseJudge.Verdict.Holds(true);
    private static final CaseJudge.Verdict FAILS = new CaseJudge.Verdict.Fails("different");

    @Test
    void aPendingCaseThatHoldsIsAFailure() {
        assertThat(CaseReport.State.of(HOLDS, true)).isEqualTo(CaseReport.State.FAIL);
        assertThat(CaseReport.State.of(REFUSES, true)).isEqualTo(CaseReport.State.FAIL);
        assertThat(CaseReport.State.of(FAILS, true)).isEqualTo(CaseReport.State.PENDING);
    }

    @Test
    void aCaseThatIsNotPendingIsWhatItCameTo() {
        assertThat(CaseReport.State.of(HOLDS, false)).isEqualTo(CaseReport.State.PASS);
        assertThat(CaseReport.State.of(REFUSES, false)).isEqualTo(CaseReport.State.REFUSED);
        assertThat(CaseReport.State.of(FAILS, false)).isEqualTo(CaseReport.State.FAIL);
    }

    @Test
    void theTableIsSortedAndCountsItsStates() {
        var report = new CaseReport();
        report.add(plan("91"), CaseReport.State.REFUSED, Duration.ofMillis(1500));
        report.add(plan("90"), CaseReport.State.PASS, Duration.ofMillis(2500));
        List<String> lines = report.text("about").lines().toList();
        assertThat(lines).hasSize(5);
        assertThat(lines.getFirst()).isEqualTo("about");
        assertThat(lines.get(2)).matches("90 +pass +2\\.5 +slot txn +A small one");
        assertThat(lines.get(3)).matches("91 +refused +1\\.5 +slot txn +A small one");
        assertThat(lines.getLast()).isEqualTo("2 cases: 1 pass, 1 refused, 0 fail, 0 pending, 4 seconds");
    }

    private static Case plan(String id) {
        return CaseFiles.variants("""
                id: "%s"
                title: A small one
                area: [slot, txn]
                tables: [{pg: public.t, feldera: t}]
                check: [{same: {}}]
                """.formatted(id)).getFirst();
    }
}
