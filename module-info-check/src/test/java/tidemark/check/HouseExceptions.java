package tidemark.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where a rule is knowingly broken, and why: {@code rule | path | how often at most | reason}, a line each.
 *
 * <p>The list only shrinks: an exception that is no longer needed is itself a finding.
 */
final class HouseExceptions {
    private static final Path RESOURCES = Checkout.ROOT.resolve("module-info-check/src/test/resources/house-rules");

    private record Entry(String rule, String path, int atMost, String reason) {}

    private final List<Entry> entries;

    private HouseExceptions(List<Entry> entries) {
        this.entries = entries;
    }

    static HouseExceptions read() {
        return new HouseExceptions(
                linesOf("exceptions.txt").stream().map(HouseExceptions::entry).toList());
    }

    /** Lines that are neither empty nor a comment. */
    static List<String> linesOf(String resource) {
        try {
            return Files.readAllLines(RESOURCES.resolve(resource), StandardCharsets.UTF_8).stream()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Entry entry(String line) {
        String[] fields = line.split("\\s*\\|\\s*", -1);
        assertThat(fields)
                .as("an exception is `rule | path | how often at most | reason`: %s", line)
                .hasSize(4);
        assertThat(fields[3]).as("an exception has a reason: %s", line).isNotBlank();
        return new Entry(fields[0], fields[1], Integer.parseInt(fields[2]), fields[3]);
    }

    /** What is left of one rule's findings, by path, and what the list still excuses for nothing. */
    List<String> unexcused(String rule, Map<String, List<String>> findingsByPath) {
        var left = new ArrayList<String>();
        findingsByPath.forEach((path, findings) -> {
            if (findings.size() > allowed(rule, path)) left.addAll(findings);
        });
        entries.stream()
                .filter(entry -> entry.rule.equals(rule) && !findingsByPath.containsKey(entry.path))
                .map(entry ->
                        "exceptions.txt: %s is no longer broken in %s: remove the line".formatted(rule, entry.path))
                .forEach(left::add);
        return left;
    }

    List<String> rules() {
        return entries.stream().map(Entry::rule).distinct().toList();
    }

    private int allowed(String rule, String path) {
        return entries.stream()
                .filter(entry -> entry.rule.equals(rule) && entry.path.equals(path))
                .mapToInt(Entry::atMost)
                .sum();
    }
}
