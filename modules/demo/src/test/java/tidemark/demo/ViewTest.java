package tidemark.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;

class ViewTest {
    private static final TidemarkStatus.Table COPYING =
            new TidemarkStatus.Table("public.readings", "sensor_readings", "copying", 50_000, 100_000, 0, 0, 0);
    private static final TidemarkStatus.Table STREAMING =
            new TidemarkStatus.Table("public.orders", "orders", "streaming", 5_000, 5_000, 12, 1_234, 5);

    @Test
    void aPlainLineSaysEverythingThatMattersInOneLine() {
        assertThat(View.line(picture(Duration.ofSeconds(12))))
                .isEqualTo(" 12 s  copying  1,500 rows/s  lag 1.5 MB  confirmed 0/1A2B3C  "
                        + "readings copying 50,000 of about 100,000, orders 6,251");
    }

    @Test
    void theBlockShowsTheCopyAsABarAndTheStreamAsCounts() {
        assertThat(View.block(picture(Duration.ofSeconds(12))))
                .contains("  00:12 of 00:30   service copying   life 2")
                .contains("  PostgreSQL 0/1A2C00      lag 1.5 MB    (longest 2.0 MB)")
                .contains("  readings       [##########..........] copying 50,000 of about 100,000")
                .contains("  orders         [####################] +12 ~1,234 -5")
                .allMatch(line -> line.length() <= View.WIDTH);
    }

    /** Of a merge no estimate says how many differences there will be. */
    @Test
    void onlyACopyUnderWayIsOfAboutSoMany() {
        assertThat(View.block(with("copied", 990))).contains("  readings       [####################] copied 990");
        assertThat(View.block(with("merging", 12))).contains("  readings       [....................] merging 12");
    }

    private static Picture with(String state, long rows) {
        return picture(
                Duration.ZERO,
                List.of(new TidemarkStatus.Table("public.readings", "sensor_readings", state, rows, 1_000, 0, 0, 0)));
    }

    @Test
    void aTerminalIsDrawnOverInPlaceAndEventsStayAboveTheBlock() {
        var bytes = new ByteArrayOutputStream();
        View view = new View(new PrintStream(bytes, true, StandardCharsets.UTF_8), true);
        int height = View.block(picture(Duration.ZERO)).size();
        view.show(picture(Duration.ZERO));
        view.say("killed");
        String text = bytes.toString(StandardCharsets.UTF_8);
        assertThat(text.substring(text.indexOf('\u001B'))).startsWith("\u001B[%dA\u001B[Jkilled\n".formatted(height));
        assertThat(text).endsWith(String.join("\n", View.block(picture(Duration.ZERO))) + "\n");
    }

    @Test
    void withoutATerminalThereIsALineEveryFewSecondsAndNoEscapes() {
        var bytes = new ByteArrayOutputStream();
        View view = new View(new PrintStream(bytes, true, StandardCharsets.UTF_8), false);
        for (int tenths = 0; tenths < 70; tenths++) view.show(picture(Duration.ofMillis(100L * tenths)));
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .doesNotContain("\u001B")
                .hasLineCount(3);
    }

    @Test
    void countsGoOnOverALifeOfTheServiceThatEnded() {
        Progress progress = new Progress();
        long second = TimeUnit.SECONDS.toNanos(1);
        progress.observe(
                status(new TidemarkStatus.Table("public.orders", "orders", "streaming", 100, 100, 10, 0, 0)), 0);
        progress.lifeEnded();
        assertThat(progress.picture(Duration.ZERO, Duration.ZERO).rowsPerSecond())
                .isZero();
        progress.observe(
                status(new TidemarkStatus.Table("public.orders", "orders", "streaming", 0, 0, 5, 0, 0)), second);
        progress.observe(
                status(new TidemarkStatus.Table("public.orders", "orders", "streaming", 0, 0, 10, 1, 0)), 2 * second);
        Picture picture = progress.picture(Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(picture.deliveredRows()).isEqualTo(121);
        assertThat(picture.rowsPerSecond()).isEqualTo(6);
        assertThat(picture.lives()).isEqualTo(2);
        assertThat(picture.longestLagBytes()).isEqualTo(77);
    }

    private static TidemarkStatus status(TidemarkStatus.Table table) {
        return new TidemarkStatus("streaming", "", Lsn.parse("0/1"), Lsn.parse("0/2"), 77, 0, List.of(table));
    }

    private static Picture picture(Duration elapsed) {
        return picture(elapsed, List.of(COPYING, STREAMING));
    }

    private static Picture picture(Duration elapsed, List<TidemarkStatus.Table> tables) {
        return new Picture(
                elapsed,
                Duration.ofSeconds(30),
                "copying",
                1_500,
                61_251,
                1_572_864,
                2_097_152,
                Lsn.parse("0/1A2B3C"),
                Lsn.parse("0/1A2C00"),
                2,
                tables);
    }
}
