package tidemark.app;

import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** One thing that must hold in a case, as its file says it. */
sealed interface CaseCheck {
    /** @param tables as Feldera names them; none means all of the case */
    record Same(List<String> tables) implements CaseCheck {}

    /** Exactly these rows, in any order; {@code oneof} lists alternatives of a value. */
    record Rows(Map<String, JsonArray> expected) implements CaseCheck {}

    /** Ended for good with one of the codes, said why, and left the slot before the mark. */
    record Refused(Set<Integer> codes, Optional<Pattern> log, Optional<String> notPast) implements CaseCheck {}

    enum Relation {
        /** Not now, and not at any look since the mark was noted. */
        NEVER_PAST,
        PAST
    }

    record Slot(Relation relation, String mark) implements CaseCheck {}

    /** Replication sessions of the present life. */
    record Sessions(long max) implements CaseCheck {}

    record PeakMemory(long maxMegabytes) implements CaseCheck {}

    /** @param since a noted place in the log, which only the first instance's has */
    record Log(String instance, Pattern match, Optional<String> since) implements CaseCheck {}

    record NoLog(Pattern match) implements CaseCheck {}

    record Alive(String instance, boolean expected) implements CaseCheck {}

    record Ready(String instance, boolean expected) implements CaseCheck {}

    /** Rows, named by the first column, that agree in every other column. */
    record Identical(String table, List<List<String>> rows) implements CaseCheck {}

    /** One of the lists holds. */
    record Any(List<List<CaseCheck>> alternatives) implements CaseCheck {}

    static CaseCheck of(String where, JsonValue check) {
        var fields = new CaseFields(where, check);
        if (fields.names().size() != 1) throw new IllegalArgumentException(where + ": one check, not " + check);
        String kind = fields.names().iterator().next();
        return of(where, kind, fields.required(kind));
    }

    private static CaseCheck of(String where, String kind, JsonValue value) {
        return switch (kind) {
            case "same" -> same(new CaseFields(where, value));
            case "rows" -> rows(value);
            case "refused" -> refused(new CaseFields(where, value));
            case "slot" -> slot(new CaseFields(where, value));
            case "sessions" -> new Sessions(new CaseFields(where, value).number("max"));
            case "rss" -> new PeakMemory(new CaseFields(where, value).number("max_mb"));
            case "log" -> log(where, value);
            case "no_log" -> new NoLog(pattern(CaseFields.asText(value)));
            case "alive" -> alive(where, value);
            case "ready" -> new Ready(CaseInstance.FIRST, value.equals(JsonValue.TRUE));
            case "identical" -> identical(value);
            case "any" -> any(where, (JsonArray) value);
            default -> throw new IllegalArgumentException("%s: no check is %s".formatted(where, kind));
        };
    }

    private static CaseCheck same(CaseFields fields) {
        var tables = fields.list("tables").stream().map(CaseFields::asText).toList();
        fields.requireNothingElse();
        return new Same(tables);
    }

    private static CaseCheck rows(JsonValue value) {
        Map<String, JsonArray> expected = new TreeMap<>();
        value.asJsonObject().forEach((table, rows) -> expected.put(table, (JsonArray) rows));
        return new Rows(expected);
    }

    private static CaseCheck refused(CaseFields fields) {
        Set<Integer> codes = new TreeSet<>();
        fields.list("codes").forEach(code -> codes.add(((JsonNumber) code).intValueExact()));
        var refused = new Refused(codes, fields.text("log").map(CaseCheck::pattern), fields.text("slot_not_past"));
        fields.requireNothingElse();
        return refused;
    }

    private static CaseCheck slot(CaseFields fields) {
        String kind = fields.names().iterator().next();
        String mark = fields.text(kind, "");
        fields.requireNothingElse();
        Relation relation = switch (kind) {
            case "past" -> Relation.PAST;
            case "not_past", "never_past" -> Relation.NEVER_PAST;
            default -> throw new IllegalArgumentException("slot: " + kind);
        };
        return new Slot(relation, mark);
    }

    private static CaseCheck log(String where, JsonValue value) {
        if (value instanceof JsonString match)
            return new Log(CaseInstance.FIRST, pattern(match.getString()), Optional.empty());
        var fields = new CaseFields(where, value);
        var log = new Log(
                fields.text("name", CaseInstance.FIRST),
                pattern(CaseFields.asText(fields.required("match"))),
                fields.text("since"));
        fields.requireNothingElse();
        if (log.since().isPresent() && !log.instance().equals(CaseInstance.FIRST))
            throw new IllegalArgumentException(where + ": a place is noted in the first instance's log only");
        return log;
    }

    private static CaseCheck alive(String where, JsonValue value) {
        if (value.equals(JsonValue.TRUE)) return new Alive(CaseInstance.FIRST, true);
        var fields = new CaseFields(where, value);
        var alive = new Alive(fields.text("name", CaseInstance.FIRST), fields.flag("is", true));
        fields.requireNothingElse();
        return alive;
    }

    private static CaseCheck any(String where, JsonArray lists) {
        List<List<CaseCheck>> alternatives = lists.stream()
                .map(list ->
                        ((JsonArray) list).stream().map(one -> of(where, one)).toList())
                .toList();
        if (alternatives.stream().anyMatch(List::isEmpty))
            throw new IllegalArgumentException(where + ": one of any checks nothing");
        return new Any(alternatives);
    }

    private static CaseCheck identical(JsonValue value) {
        var table = value.asJsonObject().entrySet().iterator().next();
        return new Identical(
                table.getKey(),
                table.getValue().asJsonArray().stream()
                        .map(keys -> keys.asJsonArray().stream()
                                .map(CaseFields::asText)
                                .toList())
                        .toList());
    }

    private static Pattern pattern(String expression) {
        return Pattern.compile(expression, Pattern.CASE_INSENSITIVE);
    }
}
