package tidemark.delivery;

import java.util.List;
import java.util.Optional;

/**
 * Whether tables can be merged. Of those that a plan merges it is asked before the slot is made anew or a state begun,
 * since neither helps where only an empty pipeline does. Pure.
 */
final class MergeCheck {
    private MergeCheck() {}

    /** The plan, or why it is refused. */
    static StartPlan of(StartPlan plan, StartPlan.Found found, List<TablePlan> tables) {
        return begins(plan).stream()
                .flatMap(begin -> refused(begin, tables).stream())
                .findFirst()
                .map(refused -> StartPlan.refused(found, refused))
                .orElse(plan);
    }

    private static List<StartPlan.Begin> begins(StartPlan plan) {
        return switch (plan) {
            case StartPlan.Refuse _, StartPlan.Doubt _ -> List.of();
            case StartPlan.CreateSlot(var _, var begins) -> begins;
            case StartPlan.UseSlot(var _, var begins) -> begins;
        };
    }

    private static Optional<StartPlan.Refuse> refused(StartPlan.Begin begin, List<TablePlan> tables) {
        if (!(begin.how() instanceof StartPlan.How.Merge(String why))) return Optional.empty();
        return problem(StartPlan.planOf(begin, tables))
                .map(problem -> new StartPlan.Refuse(
                        "%s has to be merged with what Feldera has of it (%s), and cannot be: %s"
                                .formatted(problem.what(), why, problem.why()),
                        problem.remedy() + "; " + Remedy.RESTART_EMPTY));
    }

    /** @throws RowRefused if its rows cannot be compared, or not be taken out of Feldera */
    static void requireMergeable(TablePlan plan) {
        if (!plan.feldera().queryable()) {
            throw new RowRefused(new Finding(
                    plan.label(),
                    "Feldera cannot query the table",
                    "declare it WITH ('materialized' = 'true') and without LATENESS on its key"));
        }
        ComparedTable.of(plan);
        RetractedTable.of(plan);
    }

    private static Optional<Finding> problem(TablePlan plan) {
        try {
            requireMergeable(plan);
            return Optional.empty();
        } catch (RowRefused refused) {
            return Optional.of(refused.finding());
        }
    }
}
