package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TypesPageTest {
    /** Maven runs tests in the module's folder. */
    private static final Path PAGE = Path.of("..", "..", "docs", "types.md");

    @Test
    void thePageSaysWhatTheCodeDoes() throws IOException {
        if (System.getProperty("tidemark.docs", "").equals("write")) Files.writeString(PAGE, TypesPage.text());
        assertThat(PAGE)
                .as("stale: mvn test -pl modules/delivery -am -Dtidemark.docs=write")
                .hasContent(TypesPage.text());
    }

    @Test
    void aReportWithEightProblemsHasALineForEachAndOneToEndWith() {
        assertThat(StartReport.eightProblems())
                .hasSize(9)
                .allSatisfy(line -> assertThat(line).doesNotContain("\n"));
    }
}
