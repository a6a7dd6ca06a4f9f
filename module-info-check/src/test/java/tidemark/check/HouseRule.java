package tidemark.check;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * One habit of the house that a machine can watch: a pattern that no line of the files in its scope contains.
 *
 * @param name names the rule in the list of exceptions and in the list of samples
 * @param instead what to do rather, said to whoever broke it
 */
record HouseRule(String name, Predicate<SourceFile> scope, Pattern banned, String instead) {

    /** Each broken line as {@code path:line: text}. */
    List<String> findingsIn(SourceFile file) {
        if (!scope.test(file)) return List.of();
        return IntStream.range(0, file.lines().size())
                .filter(line -> banned.matcher(file.lines().get(line)).find())
                .mapToObj(line -> file.path() + ":" + (line + 1) + ": "
                        + file.lines().get(line).strip())
                .toList();
    }
}
