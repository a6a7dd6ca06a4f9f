package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import tidemark.delivery.DeliverySettings.OnStateLoss;

/**
 * One row of the table of how a session begins: what is found, in the words of docs/architecture.md, examples of it
 * with what is decided, and the tests that drive it on a real PostgreSQL.
 */
final class StartRow {
    /** @param decided in brief, and behind a colon words of the reason: {@code refused: another source} */
    record Example(String row, StartScene scene, OnStateLoss policy, String decided) {
        @Override
        public String toString() {
            return "%s [%s, %s] -> %s".formatted(row, scene, policy, decided);
        }
    }

    record Driven(Class<?> by, String test) {}

    private final String found;
    private final List<Example> examples = new ArrayList<>();
    private final List<Driven> driven = new ArrayList<>();

    private StartRow(String found) {
        this.found = found;
    }

    static StartRow row(String found) {
        return new StartRow(found);
    }

    /** With {@code resnapshot}, and with {@code stop}. */
    StartRow decides(StartScene scene, String mending, String stopping) {
        examples.add(new Example(found, scene, OnStateLoss.RESNAPSHOT, mending));
        examples.add(new Example(found, scene, OnStateLoss.STOP, stopping));
        return this;
    }

    /** Whatever the policy. */
    StartRow decides(StartScene scene, String either) {
        return decides(scene, either, either);
    }

    StartRow drivenBy(Class<?> by, String... tests) {
        for (String test : tests) driven.add(new Driven(by, test));
        return this;
    }

    String found() {
        return found;
    }

    List<Example> examples() {
        return List.copyOf(examples);
    }

    List<Driven> driven() {
        return List.copyOf(driven);
    }

    /** Of the one table that a {@link StartScene} has. */
    static String inBrief(StartPlan plan) {
        return switch (plan) {
            case StartPlan.Refuse(String what, String _) -> "refused: " + what;
            case StartPlan.Doubt(ReplicationState durable, String what, String _) ->
                "%s on disk, refused: %s".formatted(durable.tables().getFirst().stand(), what);
            case StartPlan.CreateSlot(var mode, var tables) -> "create %s, %s".formatted(mode, inBrief(tables));
            case StartPlan.UseSlot(var resumeAt, var tables) -> "use %s, %s".formatted(resumeAt, inBrief(tables));
        };
    }

    private static String inBrief(List<StartPlan.Begin> tables) {
        return switch (tables.getFirst().how()) {
            case StartPlan.How.Copy(var why) -> "copy" + why.map(": "::concat).orElse("");
            case StartPlan.How.CopyAgain(String why) -> "copy and skip nothing: " + why;
            case StartPlan.How.Merge(String why) -> "merge: " + why;
            case StartPlan.How.Continue(var stand, var position, long count) ->
                "continue %s %s %d".formatted(stand, position, count);
            case StartPlan.How.StreamOnly() -> "stream only";
        };
    }
}
