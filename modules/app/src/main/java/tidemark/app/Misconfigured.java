package tidemark.app;

import java.util.List;
import java.util.stream.Collectors;

/** The configuration cannot be used; every problem it has, not only the first. */
final class Misconfigured extends RuntimeException {
    private final transient List<SettingProblem> problems;

    Misconfigured(List<SettingProblem> problems) {
        super(problems.stream().map(SettingProblem::toString).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    List<SettingProblem> problems() {
        return problems;
    }
}
