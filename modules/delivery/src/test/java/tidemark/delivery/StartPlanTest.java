package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@link StartPlan} and the page say the same, row by row; what holds of every combination is in
 * {@link StartPlanProperties}.
 */
class StartPlanTest {
    /** Maven runs tests in the module's folder. */
    private static final Path PAGE = Path.of("..", "..", "docs", "architecture.md");

    private static final String SECTION = "## How a session begins";
    private static final String HEAD = "| found | then |";

    static Stream<StartRow.Example> examples() {
        return StartRows.all().stream().flatMap(row -> row.examples().stream());
    }

    static Stream<StartRow.Driven> driven() {
        return StartRows.all().stream().flatMap(row -> row.driven().stream());
    }

    @ParameterizedTest
    @MethodSource("examples")
    void isDecidedAsTheRowSays(StartRow.Example example) {
        String plan = StartRow.inBrief(example.scene().plan(example.policy()));
        int words = example.decided().indexOf(": ");
        if (words < 0) assertThat(plan).isEqualTo(example.decided());
        else {
            assertThat(plan).startsWith(example.decided().substring(0, words + 2));
            assertThat(plan).contains(example.decided().substring(words + 2));
        }
    }

    @Test
    void thePageHasTheseRowsInThisOrder() throws IOException {
        List<String> lines = Files.readAllLines(PAGE);
        List<String> onPage = lines.subList(lines.indexOf(SECTION), lines.size()).stream()
                .dropWhile(line -> !line.equals(HEAD))
                .skip(2)
                .takeWhile(line -> line.startsWith("| "))
                .map(line -> line.substring(2, line.indexOf(" | ")))
                .toList();
        assertThat(onPage)
                .containsExactlyElementsOf(
                        StartRows.all().stream().map(StartRow::found).toList());
    }

    @Test
    void everyRowIsDrivenOnARealPostgres() {
        assertThat(StartRows.all())
                .allSatisfy(row -> assertThat(row.driven()).as(row.found()).isNotEmpty());
    }

    @ParameterizedTest
    @MethodSource("driven")
    void byATestThatThereIs(StartRow.Driven driven) {
        assertThat(driven.by().getDeclaredMethods())
                .filteredOn(StartPlanTest::isTest)
                .extracting(Method::getName)
                .contains(driven.test());
    }

    private static boolean isTest(Method method) {
        return method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(ParameterizedTest.class);
    }
}
