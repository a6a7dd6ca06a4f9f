package tidemark.app;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Whether a case's checks speak only of what its tables and steps have given a name. A check of a table that the case
 * does not have, or since a place in the log that nobody noted, could not fail.
 */
final class CaseNames {
    private record Name(String kind, String name) {
        static Name table(String name) {
            return new Name("table", name);
        }

        static Name mark(String name) {
            return new Name("mark", name);
        }

        static Name place(String name) {
            return new Name("noted place", name);
        }

        static Name instance(String name) {
            return new Name("instance", name);
        }

        @Override
        public String toString() {
            return kind + " " + name;
        }
    }

    private CaseNames() {}

    /** @throws IllegalArgumentException with the names that are missing */
    static void requireGiven(Case plan) {
        Set<Name> given = new HashSet<>(Set.of(Name.instance(CaseInstance.FIRST)));
        plan.tables().forEach(table -> given.add(Name.table(table.feldera())));
        plan.steps().stream().flatMap(CaseNames::given).forEach(given::add);
        Set<String> missing = new TreeSet<>();
        Stream<CaseCheck> asserted = plan.steps().stream()
                .flatMap(step -> step instanceof CaseStep.Checked one ? one.checks().stream() : Stream.empty());
        Stream.concat(plan.checks().stream(), asserted)
                .flatMap(CaseNames::used)
                .filter(name -> !given.contains(name))
                .forEach(name -> missing.add(name.toString()));
        if (!missing.isEmpty())
            throw new IllegalArgumentException("%s: checks of what it does not have: %s".formatted(plan.id(), missing));
    }

    private static Stream<Name> given(CaseStep step) {
        return switch (step) {
            case CaseStep.Sql sql -> sql.mark().stream().map(Name::mark);
            case CaseStep.NoteMark(String name) -> Stream.of(Name.mark(name));
            case CaseStep.NoteLog(String name) -> Stream.of(Name.place(name));
            case CaseStep.Start start -> Stream.of(Name.instance(start.instance()));
            case CaseStep.Repeat _,
                    CaseStep.EndRepeat _,
                    CaseStep.Join _,
                    CaseStep.Sleep _,
                    CaseStep.Wait _,
                    CaseStep.WaitSql _,
                    CaseStep.WaitCount _,
                    CaseStep.WaitRequests _,
                    CaseStep.Stop _,
                    CaseStep.Send _,
                    CaseStep.RestartWalsender _,
                    CaseStep.MovePipeline _,
                    CaseStep.AlterSystem _,
                    CaseStep.Fault _,
                    CaseStep.ClearFaults _,
                    CaseStep.Checked _ -> Stream.empty();
        };
    }

    private static Stream<Name> used(CaseCheck check) {
        return switch (check) {
            case CaseCheck.Same(List<String> tables) -> tables.stream().map(Name::table);
            case CaseCheck.Rows(var expected) -> expected.keySet().stream().map(Name::table);
            case CaseCheck.Refused refused -> refused.notPast().stream().map(Name::mark);
            case CaseCheck.Slot slot -> Stream.of(Name.mark(slot.mark()));
            case CaseCheck.Log log ->
                Stream.concat(
                        Stream.of(Name.instance(log.instance())),
                        log.since().stream().map(Name::place));
            case CaseCheck.Alive alive -> Stream.of(Name.instance(alive.instance()));
            case CaseCheck.Ready ready -> Stream.of(Name.instance(ready.instance()));
            case CaseCheck.Identical identical -> Stream.of(Name.table(identical.table()));
            case CaseCheck.Any any ->
                any.alternatives().stream().flatMap(List::stream).flatMap(CaseNames::used);
            case CaseCheck.Sessions _, CaseCheck.PeakMemory _, CaseCheck.NoLog _ -> Stream.empty();
        };
    }
}
