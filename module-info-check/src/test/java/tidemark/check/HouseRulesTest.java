package tidemark.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The house rules hold over the whole checkout, and each of them can be broken. */
class HouseRulesTest {
    /** Not searched: the samples of what is banned, and the patterns that ban it. */
    private static final Pattern OWN_WORDS = Pattern.compile(
            "module-info-check/src/test/(resources/house-rules/.*|java/tidemark/check/HouseRules\\.java)");

    private static final String FILE_LENGTH = "file-length";
    private static final String WIDTH = "width";
    private static final HouseExceptions EXCEPTIONS = HouseExceptions.read();
    private static final List<SourceFile> FILES = Checkout.textFiles().stream()
            .filter(file -> !OWN_WORDS.matcher(file.path()).matches())
            .toList();

    static Stream<HouseRule> rules() {
        return HouseRules.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void aRuleHoldsInEveryFile(HouseRule rule) {
        assertThat(unexcused(rule.name(), rule::findingsIn))
                .as("%s: instead, %s", rule.name(), rule.instead())
                .isEmpty();
    }

    @Test
    void noFileIsLongerThanItsSubject() {
        assertThat(unexcused(FILE_LENGTH, HouseRulesTest::tooLong))
                .as("find the missing noun")
                .isEmpty();
    }

    @Test
    void noLineIsWiderThanAScreen() {
        assertThat(unexcused(WIDTH, LineWidth::tooWide))
                .as("%s: spotless:apply breaks code, comments are ours", WIDTH)
                .isEmpty();
    }

    private static List<String> unexcused(String rule, Function<SourceFile, List<String>> findingsIn) {
        var found = new TreeMap<String, List<String>>();
        for (SourceFile file : FILES) {
            List<String> findings = findingsIn.apply(file);
            if (!findings.isEmpty()) found.put(file.path(), findings);
        }
        return EXCEPTIONS.unexcused(rule, found);
    }

    /** Samples are {@code rule: line}; every rule has at least one, or nobody knows that it can fail. */
    @ParameterizedTest
    @MethodSource("rules")
    void aRuleIsBrokenByEachOfItsSamples(HouseRule rule) {
        List<String> samples = HouseExceptions.linesOf("broken.txt").stream()
                .filter(line -> line.startsWith(rule.name() + ": "))
                .map(line -> line.substring(rule.name().length() + 2))
                .toList();
        assertThat(samples).as("samples of %s in broken.txt", rule.name()).isNotEmpty();
        assertThat(samples)
                .allSatisfy(sample -> assertThat(findingsIn(rule, sample)).isNotEmpty());
    }

    @ParameterizedTest
    @MethodSource("rules")
    void aRuleLeavesHonestLinesAlone(HouseRule rule) {
        assertThat(HouseExceptions.linesOf("kept.txt"))
                .allSatisfy(line -> assertThat(findingsIn(rule, line)).isEmpty());
    }

    @Test
    void aFileOfOneLineTooManyIsTooLong() {
        assertThat(tooLong(javaFile(lines(HouseRules.LINES_OF_A_FILE)))).isEmpty();
        assertThat(tooLong(javaFile(lines(HouseRules.LINES_OF_A_FILE + 1)))).isNotEmpty();
    }

    @Test
    void aQuotationIsAsWideAsWhatItQuotes() {
        String wide = "x".repeat(LineWidth.MAX + 1);
        assertThat(LineWidth.tooWide(javaFile(List.of(wide, "// " + wide)))).hasSize(2);
        assertThat(LineWidth.tooWide(javaFile(List.of("x".repeat(LineWidth.MAX)))))
                .isEmpty();
        assertThat(LineWidth.tooWide(javaFile(List.of("    + \"" + wide + "\");"))))
                .isEmpty();
        assertThat(LineWidth.tooWide(javaFile(List.of("String sql = \"\"\"", wide, "\"\"\";", wide))))
                .hasSize(1);
    }

    @Test
    void anExceptionThatIsNoLongerNeededIsAFinding() {
        assertThat(EXCEPTIONS.rules())
                .allSatisfy(
                        rule -> assertThat(EXCEPTIONS.unexcused(rule, Map.of())).isNotEmpty());
    }

    @Test
    void exceptionsNameRulesThatExist() {
        assertThat(Stream.concat(rules().map(HouseRule::name), Stream.of(FILE_LENGTH, WIDTH)))
                .containsAll(EXCEPTIONS.rules());
    }

    @Test
    void theWholeCheckoutIsSearched() {
        assertThat(FILES)
                .extracting(SourceFile::path)
                .contains(
                        "pom.xml",
                        "dev",
                        ".ci/run",
                        "CONTRIBUTING.md",
                        "modules/decode/src/main/java/module-info.java");
    }

    private static List<String> findingsIn(HouseRule rule, String line) {
        return rule.findingsIn(javaFile(List.of(line)));
    }

    private static SourceFile javaFile(List<String> lines) {
        return new SourceFile("modules/delivery/src/main/java/tidemark/delivery/Sample.java", lines);
    }

    private static List<String> lines(int count) {
        return IntStream.range(0, count).mapToObj(_ -> "int i;").toList();
    }

    /** A finding for each line over the bound, so that an exception can say how many there are. */
    private static List<String> tooLong(SourceFile file) {
        if (!file.isJava()) return List.of();
        return IntStream.rangeClosed(
                        HouseRules.LINES_OF_A_FILE + 1, file.lines().size())
                .mapToObj(line -> file.path() + ":" + line)
                .toList();
    }
}
