package tidemark.app;

import jakarta.json.JsonArray;
import jakarta.json.JsonValue;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** One step of a case, as its file says it. */
sealed interface CaseStep {
    /**
     * Each statement is its own transaction unless they stand between BEGIN and COMMIT.
     *
     * @param session a connection that stays open; without one, a connection of its own
     * @param mark notes the WAL position before the COMMIT
     * @param background runs beside the next steps, until its {@link Join}
     */
    record Sql(String sql, Optional<String> session, Optional<String> mark, Optional<String> background)
            implements CaseStep {}

    record Repeat(String name, Duration every, String sql) implements CaseStep {}

    record EndRepeat(String name) implements CaseStep {}

    record Join(String name) implements CaseStep {}

    record NoteMark(String name) implements CaseStep {}

    record NoteLog(String name) implements CaseStep {}

    record Sleep(Duration time) implements CaseStep {}

    /** What of an instance, or of the tables, is waited for. */
    enum Awaited {
        SAME,
        /** The same on both sides, or ended for good. */
        SETTLED,
        /** Ready, and every table streams. */
        READY,
        NOT_READY,
        EXIT
    }

    record Wait(Awaited awaited, String instance, Optional<Duration> timeout) implements CaseStep {}

    record WaitSql(String sql, String equals, Optional<Duration> timeout) implements CaseStep {}

    record WaitCount(String table, long atLeast, Optional<Duration> timeout) implements CaseStep {}

    /** Until Feldera has seen so many POSTs for the table. */
    record WaitRequests(String table, long atLeast, Optional<Duration> timeout) implements CaseStep {}

    record Start(String instance, boolean untilReady, Optional<Duration> timeout) implements CaseStep {}

    record Stop(String instance, boolean anyCode, Optional<Duration> timeout) implements CaseStep {}

    enum Signal {
        KILL,
        STOP,
        CONT
    }

    record Send(Signal signal, String instance) implements CaseStep {}

    record RestartWalsender() implements CaseStep {}

    enum PipelineMove {
        PAUSE,
        RESUME,
        /** It comes back empty. */
        RESTART
    }

    record MovePipeline(PipelineMove move) implements CaseStep {}

    /** @param settings reset where there is no value */
    record AlterSystem(Map<String, Optional<String>> settings) implements CaseStep {}

    sealed interface Fault extends CaseStep {}

    /** Rows become visible, and no token completes. */
    record WithholdCompletions() implements Fault {}

    /** Every POST is so long on its way to Feldera. */
    record DelayIngress(Duration delay) implements Fault {}

    record ClearFaults() implements CaseStep {}

    sealed interface Checked extends CaseStep {
        List<CaseCheck> checks();
    }

    /** They hold now. */
    record Assert(List<CaseCheck> checks) implements Checked {}

    /** Until all of them hold at once. */
    record WaitChecks(List<CaseCheck> checks, Optional<Duration> timeout) implements Checked {}

    static CaseStep of(String where, JsonValue step) {
        var fields = new CaseFields(where, step);
        CaseStep read = of(where, fields);
        fields.requireNothingElse();
        return read;
    }

    /** All of a step's own mapping. */
    private static CaseStep nested(String where, JsonValue value, Function<CaseFields, CaseStep> reader) {
        var fields = new CaseFields(where, value);
        CaseStep read = reader.apply(fields);
        fields.requireNothingElse();
        return read;
    }

    private static CaseStep of(String where, CaseFields step) {
        String kind = step.names().stream()
                .filter(name -> KINDS.contains(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("%s: no step is %s".formatted(where, step.names())));
        JsonValue value = step.required(kind);
        return switch (kind) {
            case "sql" ->
                new Sql(CaseFields.asText(value), step.text("session"), step.text("mark"), step.text("background"));
            case "repeat" -> nested(where, value, CaseStep::repeat);
            case "unrepeat" -> new EndRepeat(CaseFields.asText(value));
            case "join" -> new Join(CaseFields.asText(value));
            case "mark" -> new NoteMark(CaseFields.asText(value));
            case "note_log" -> new NoteLog(CaseFields.asText(value));
            case "sleep" -> new Sleep(CaseFields.asDuration(value));
            case "wait" ->
                new Wait(
                        Awaited.valueOf(CaseFields.asText(value).toUpperCase(Locale.ROOT)),
                        instance(step),
                        step.seconds("timeout"));
            case "wait_checks" -> new WaitChecks(checks(where, value), step.seconds("timeout"));
            case "wait_sql" -> new WaitSql(CaseFields.asText(value), step.text("equals", ""), step.seconds("timeout"));
            case "wait_count" -> nested(where, value, of -> waitCount(of, step));
            case "wait_proxy" -> nested(where, value, of -> waitRequests(of, step));
            case "start" -> nested(where, value, CaseStep::start);
            case "stop" -> nested(where, value, CaseStep::stop);
            case "kill9" -> nested(where, value, of -> new Send(Signal.KILL, instance(of)));
            case "sigstop" -> nested(where, value, of -> new Send(Signal.STOP, instance(of)));
            case "sigcont" -> nested(where, value, of -> new Send(Signal.CONT, instance(of)));
            case "walsender" -> new RestartWalsender();
            case "pipeline" ->
                new MovePipeline(PipelineMove.valueOf(CaseFields.asText(value).toUpperCase(Locale.ROOT)));
            case "alter_system" -> new AlterSystem(step.texts(kind));
            case "fault" -> nested(where, value, of -> fault(where, of));
            case "clear_faults" -> new ClearFaults();
            case "assert" -> new Assert(checks(where, value));
            default -> throw new IllegalStateException(kind);
        };
    }

    List<String> KINDS = List.of(
            "sql",
            "repeat",
            "unrepeat",
            "join",
            "note_log",
            "sleep",
            "wait",
            "wait_checks",
            "wait_sql",
            "wait_count",
            "wait_proxy",
            "start",
            "stop",
            "kill9",
            "sigstop",
            "sigcont",
            "walsender",
            "pipeline",
            "alter_system",
            "fault",
            "clear_faults",
            "assert",
            "mark");

    private static String instance(CaseFields fields) {
        return fields.text("name", CaseInstance.FIRST);
    }

    private static Repeat repeat(CaseFields fields) {
        return new Repeat(
                fields.text("name", ""), CaseFields.asDuration(fields.required("every")), fields.text("sql", ""));
    }

    private static WaitCount waitCount(CaseFields of, CaseFields step) {
        return new WaitCount(of.text("table", ""), of.number("at_least"), step.seconds("timeout"));
    }

    private static WaitRequests waitRequests(CaseFields of, CaseFields step) {
        return new WaitRequests(of.text("table", ""), of.number("at_least"), step.seconds("timeout"));
    }

    private static Start start(CaseFields fields) {
        return new Start(instance(fields), !fields.text("wait", "ready").equals("none"), fields.seconds("timeout"));
    }

    private static Stop stop(CaseFields fields) {
        return new Stop(instance(fields), fields.flag("any_code", false), fields.seconds("timeout"));
    }

    private static Fault fault(String where, CaseFields fields) {
        String fault = fields.text("action", "") + " " + fields.text("kind", "");
        return switch (fault) {
            case "withhold completion" -> new WithholdCompletions();
            case "latency ingress" -> new DelayIngress(Duration.ofMillis(fields.number("ms")));
            default -> throw new IllegalArgumentException("%s: no fault is %s".formatted(where, fault));
        };
    }

    private static List<CaseCheck> checks(String where, JsonValue value) {
        return value instanceof JsonArray several
                ? several.stream().map(one -> CaseCheck.of(where, one)).toList()
                : List.of(CaseCheck.of(where, value));
    }
}
