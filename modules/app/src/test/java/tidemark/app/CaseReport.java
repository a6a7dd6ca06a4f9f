package tidemark.app;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The table of a run: which case came to what, and how long that took. */
final class CaseReport {
    enum State {
        PASS,
        /** Right, because the service refused as the case allows. */
        REFUSED,
        FAIL,
        /** Fails, and is known to: it stands in pending.txt. */
        PENDING;

        /** A pending case that holds is a failure, so that pending.txt shrinks. */
        static State of(CaseJudge.Verdict verdict, boolean pending) {
            return switch (verdict) {
                case CaseJudge.Verdict.Holds _ when pending -> FAIL;
                case CaseJudge.Verdict.Holds(boolean byRefusal) -> byRefusal ? REFUSED : PASS;
                case CaseJudge.Verdict.Fails _ -> pending ? PENDING : FAIL;
            };
        }
    }

    private record Row(Case plan, State state, Duration took) {}

    private final List<Row> rows = new ArrayList<>();

    /** Returns the case's line of the table. */
    String add(Case plan, State state, Duration took) {
        rows.add(new Row(plan, state, took));
        return line(rows.getLast());
    }

    /**
     * A line for each case so far, in the order of their ids, and one that counts.
     *
     * @param about what ran on what
     */
    String text(String about) {
        var text = new StringBuilder(about).append(System.lineSeparator());
        text.append("%-18s %-9s %7s  %-18s %s%n".formatted("case", "state", "seconds", "area", "title"));
        rows.stream()
                .sorted(Comparator.comparing(row -> row.plan.id()))
                .forEach(row -> text.append(line(row)).append(System.lineSeparator()));
        text.append("%d cases: ".formatted(rows.size()));
        for (State state : State.values()) {
            long count = rows.stream().filter(row -> row.state == state).count();
            text.append("%d %s, ".formatted(count, word(state)));
        }
        long seconds = rows.stream().mapToLong(row -> row.took.toMillis()).sum() / 1000;
        return text.append("%d seconds%n".formatted(seconds)).toString();
    }

    private static String line(Row row) {
        return "%-18s %-9s %7.1f  %-18s %s"
                .formatted(
                        row.plan.id(),
                        word(row.state),
                        row.took.toMillis() / 1000.0,
                        String.join(" ", row.plan.areas()),
                        row.plan.title());
    }

    private static String word(State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
