package tidemark.app;

import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import tidemark.demo.Proof;

/**
 * Says whether the checks of a case hold at this moment.
 *
 * @param noted places in the first instance's log, by name
 * @param instances gives the instance of a name
 */
record CaseJudge(
        Case plan,
        CaseSource source,
        Proof proof,
        Function<String, CaseInstance> instances,
        Map<String, Integer> noted) {
    sealed interface Verdict {
        /** @param byRefusal whether what holds is that the service refused */
        record Holds(boolean byRefusal) implements Verdict {
            @Override
            public String toString() {
                return "it holds: take it off cases/pending.txt if it stands there";
            }
        }

        record Fails(String why) implements Verdict {
            @Override
            public String toString() {
                return why;
            }
        }
    }

    /** All of them. */
    Verdict of(List<CaseCheck> checks) {
        boolean byRefusal = false;
        for (CaseCheck check : checks) {
            switch (of(check)) {
                case Verdict.Fails fails -> {
                    return fails;
                }
                case Verdict.Holds holds -> byRefusal |= holds.byRefusal();
            }
        }
        return new Verdict.Holds(byRefusal);
    }

    /** What differs between the two sides, in words; nothing when all tables are the same. */
    List<String> differences(List<String> onlyTables) {
        return plan.tables().stream()
                .filter(table -> onlyTables.isEmpty() || onlyTables.contains(table.feldera()))
                .flatMap(table -> proof
                        .differences(
                                table.postgres().schema(), table.postgres().table(), table.feldera(), plan.tolerated())
                        .stream())
                .toList();
    }

    private Verdict of(CaseCheck check) {
        return switch (check) {
            case CaseCheck.Same same -> none(differences(same.tables()));
            case CaseCheck.Rows rows -> rows(rows);
            case CaseCheck.Refused refused -> refused(refused);
            case CaseCheck.Slot slot -> slot(slot);
            case CaseCheck.Sessions sessions -> sessions(sessions);
            case CaseCheck.PeakMemory memory -> {
                long megabytes = first().peakMemoryMegabytes();
                yield when(megabytes <= memory.maxMegabytes(), "the process had %d MB".formatted(megabytes));
            }
            case CaseCheck.Log log -> {
                int since = log.since().map(noted::get).orElse(0);
                String text = instances.apply(log.instance()).log();
                yield when(log.match().matcher(text.substring(since)).find(), "no line of the log matches " + log);
            }
            case CaseCheck.NoLog log ->
                when(!log.match().matcher(first().log()).find(), "a line of the log matches " + log);
            case CaseCheck.Alive alive ->
                when(instances.apply(alive.instance()).isAlive() == alive.expected(), alive + " is not so");
            case CaseCheck.Ready ready -> {
                CaseInstance instance = instances.apply(ready.instance());
                yield when(ready.expected() ? instance.isReady() : instance.saysNotReady(), ready + " is not so");
            }
            case CaseCheck.Identical identical -> identical(identical);
            case CaseCheck.Any any -> any(any);
        };
    }

    private CaseInstance first() {
        return instances.apply(CaseInstance.FIRST);
    }

    private static Verdict when(boolean holds, String why) {
        return holds ? new Verdict.Holds(false) : new Verdict.Fails(why);
    }

    private static Verdict none(List<String> wrong) {
        return when(wrong.isEmpty(), String.join("\n  ", wrong));
    }

    private Verdict any(CaseCheck.Any any) {
        List<String> reasons = new ArrayList<>();
        for (List<CaseCheck> alternative : any.alternatives()) {
            switch (of(alternative)) {
                case Verdict.Holds holds -> {
                    return holds;
                }
                case Verdict.Fails fails -> reasons.add(fails.why());
            }
        }
        return new Verdict.Fails(String.join("\nand ", reasons));
    }

    private Verdict refused(CaseCheck.Refused refused) {
        Optional<Integer> code = first().ended();
        if (code.isEmpty()) return new Verdict.Fails("it has not ended for good");
        if (!refused.codes().contains(code.get())) return new Verdict.Fails("it ended with " + code.get());
        String errors = first().lastErrors();
        if (!errors.contains("stopped tidemark exit=%d ".formatted(code.get())))
            return new Verdict.Fails("its last line is not the end with " + code.get());
        if (!refused.log().map(log -> log.matcher(errors).find()).orElse(true))
            return new Verdict.Fails("its errors do not say " + refused.log().get());
        return refused.notPast()
                .map(mark -> slot(new CaseCheck.Slot(CaseCheck.Relation.NEVER_PAST, mark)))
                .filter(Verdict.Fails.class::isInstance)
                .orElse(new Verdict.Holds(true));
    }

    /** A slot that is gone has let go of all its WAL, so it is never where it should be. */
    private Verdict slot(CaseCheck.Slot slot) {
        if (!source.hasSlot()) return new Verdict.Fails("there is no slot");
        boolean past = source.wasPast(slot.mark());
        return when(past == (slot.relation() == CaseCheck.Relation.PAST), slot + ": past is " + past);
    }

    private Verdict sessions(CaseCheck.Sessions limit) {
        return first().status()
                .map(JsonObject.class::cast)
                .map(status -> status.getInt("sessions"))
                .map(seen -> when(seen <= limit.max(), "there were %d sessions".formatted(seen)))
                .orElse(new Verdict.Fails("it does not say how many sessions there were"));
    }

    private Verdict rows(CaseCheck.Rows rows) {
        List<String> wrong = new ArrayList<>();
        rows.expected().forEach((table, expected) -> {
            List<List<JsonValue>> actual = proof.rows(table);
            boolean equal = actual.size() == expected.size()
                    && expected.stream()
                            .allMatch(row -> actual.stream().anyMatch(one -> isRow(row.asJsonArray(), one)));
            if (!equal) wrong.add("%s is %s, not %s".formatted(table, actual, expected));
        });
        return none(wrong);
    }

    private static boolean isRow(List<JsonValue> expected, List<JsonValue> actual) {
        return expected.size() == actual.size()
                && IntStream.range(0, expected.size()).allMatch(i -> isValue(expected.get(i), actual.get(i)));
    }

    private static boolean isValue(JsonValue expected, JsonValue actual) {
        return switch (expected) {
            case JsonObject alternatives ->
                alternatives.getJsonArray("oneof").stream().anyMatch(one -> isValue(one, actual));
            case JsonArray array -> actual instanceof JsonArray other && isRow(array, other);
            case JsonNumber number ->
                actual instanceof JsonNumber other && number.bigDecimalValue().compareTo(other.bigDecimalValue()) == 0;
            default -> expected.equals(actual);
        };
    }

    private Verdict identical(CaseCheck.Identical identical) {
        List<List<JsonValue>> rows = proof.rows(identical.table());
        List<String> wrong = new ArrayList<>();
        for (List<String> keys : identical.rows()) {
            long different = rows.stream()
                    .filter(row -> keys.contains(CaseFields.asText(row.getFirst())))
                    .map(row -> row.subList(1, row.size()))
                    .distinct()
                    .count();
            if (different != 1) wrong.add("%s: the rows %s are not alike".formatted(identical.table(), keys));
        }
        return none(wrong);
    }
}
