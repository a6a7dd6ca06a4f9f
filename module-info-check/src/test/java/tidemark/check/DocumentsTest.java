package tidemark.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tidemark.delivery.CrashPoint;
import tidemark.delivery.ExitCode;

/** Pages say what the code says, and lead somewhere. */
class DocumentsTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");
    private static final Pattern EXIT_CODES =
            Pattern.compile("(?s)<!-- exit codes: generated [^\n]*-->\n(.*)<!-- end of exit codes -->");
    private static final Pattern CRASH_POINTS =
            Pattern.compile("(?s)<!-- crash points: generated [^\n]*-->\n(.*)<!-- end of crash points -->");

    @Test
    void operationsListsEveryExitCodeAsTheCodeHasIt() throws IOException {
        // given
        String table = Arrays.stream(ExitCode.values())
                .map(exit -> "| %d | %s |\n".formatted(exit.code(), exit.meaning()))
                .collect(Collectors.joining("", "\n| code | means |\n|---|---|\n", "\n"));
        // then
        assertThat(inOperations(EXIT_CODES)).isEqualTo(table);
    }

    @Test
    void operationsListsEveryCrashPointAsTheCodeHasIt() throws IOException {
        String table = Arrays.stream(CrashPoint.values())
                .map(point -> "| `%s` | %s | %s |\n".formatted(point.word(), point.moment(), point.proves()))
                .collect(Collectors.joining(
                        "", "\n| `crash.at` | ends when | a restart shows |\n|---|---|---|\n", "\n"));
        assertThat(inOperations(CRASH_POINTS)).isEqualTo(table);
    }

    private static String inOperations(Pattern table) throws IOException {
        Matcher page = table.matcher(Files.readString(Checkout.ROOT.resolve("docs/operations.md")));
        assertThat(page.find())
                .as("docs/operations.md marks where the table stands; if it is stale, put the expected one there")
                .isTrue();
        return page.group(1);
    }

    @Test
    void everyLinkFromAPageLeadsToAFile() {
        var broken = new ArrayList<String>();
        for (SourceFile page : pages()) {
            Path folder = Checkout.ROOT.resolve(page.path()).resolveSibling("");
            for (String line : page.lines()) {
                LINK.matcher(line)
                        .results()
                        .filter(link -> Files.notExists(folder.resolve(link.group(1))))
                        .map(link -> page.path() + " -> " + link.group(1))
                        .forEach(broken::add);
            }
        }
        assertThat(broken).isEmpty();
    }

    /** Otherwise the test above could look at no page at all. */
    @Test
    void thePagesAreFound() {
        assertThat(pages())
                .extracting(SourceFile::path)
                .contains("CONTRIBUTING.md", "docs/architecture.md", "docs/guarantees.md", "docs/operations.md");
    }

    private static List<SourceFile> pages() {
        return Checkout.textFiles().stream()
                .filter(file -> file.path().endsWith(".md"))
                .toList();
    }
}
