package tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import tidemark.bench.Report.Round;
import tidemark.bench.Report.Spread;

class ReportTest {
    private static final Figures FIGURES =
            new Figures(2_000_000, Duration.ofSeconds(8), Duration.ofSeconds(9), Duration.ofSeconds(10), 262_144);

    @Test
    void theMedianIsTheMiddleOneAndOfAnEvenNumberBetweenTheTwoInTheMiddle() {
        assertThat(Spread.of(List.of(9.0, 1.0, 2.0))).isEqualTo(new Spread(2, 1, 9));
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(new Spread(3, 1, 9));
        assertThat(Spread.of(List.of(7.0))).isEqualTo(new Spread(7, 7, 7));
    }

    @Test
    void figuresAreGivenPerSecondAndPerMillionRows() {
        assertThat(FIGURES.rowsPerSecond()).isEqualTo(250_000, Offset.offset(1e-6));
        assertThat(FIGURES.cpuSecondsPerMillion()).isEqualTo(4.5, Offset.offset(1e-9));
        assertThat(FIGURES.processCpuSecondsPerMillion()).isEqualTo(5, Offset.offset(1e-9));
        assertThat(FIGURES.peakRssMib()).isEqualTo(256, Offset.offset(1e-9));
    }

    @Test
    void figuresAreFoundAmongWhatElseAProcessPrinted() {
        assertThat(Figures.in(Stream.of("INFO streaming", FIGURES.line(), "INFO stopped")))
                .contains(FIGURES);
        assertThat(Figures.in(Stream.of("INFO streaming"))).isEmpty();
    }

    /** The machine's speed changes between rounds: the ratio of the medians would be 2.50. */
    @Test
    void ratiosAreTakenWithinEachRound() {
        Report report = new Report(Workload.W1, 1000);
        report.add(round(60, 100));
        report.add(round(8, 10));
        report.add(round(10, 25));
        assertThat(report.text().lines().filter(line -> line.contains("tidemark")))
                .singleElement()
                .asString()
                .contains("25 (10–100)")
                .contains("1.67 (1.25–2.50)");
    }

    @Test
    void aRoundTellsWhatFelderaTook() {
        assertThat(Report.line(2, round(10, 5)))
                .contains("round 2")
                .contains("ratio 0.50")
                .contains("7 POSTs, 1.5 MB");
    }

    private static Round round(long bareRowsPerSecond, long rowsPerSecond) {
        return new Round(at(bareRowsPerSecond), at(rowsPerSecond), new NullFeldera.Taken(7, 1_500_000));
    }

    private static Figures at(long rowsPerSecond) {
        return new Figures(1000, Duration.ofSeconds(1000).dividedBy(rowsPerSecond), Duration.ZERO, Duration.ZERO, 1024);
    }
}
