package tidemark.app;

import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tidemark.decode.RelationName;
import tidemark.delivery.Routes;
import tidemark.demo.Tolerance;

/**
 * SQL to run on PostgreSQL, and what must be true in Feldera afterwards: one variant of one case file. What the keys of
 * a file mean is told in {@code cases/README.md}.
 *
 * @param id the file's number, and the variant's name if it has one: {@code 03/leaf}
 * @param role another login for the service than the superuser
 * @param settings of the server, for this case
 * @param supervise exit codes after which the service is started again
 * @param anyStop whether any exit code is right when the case ends
 */
record Case(
        String id,
        String title,
        List<String> areas,
        boolean heavy,
        List<Table> tables,
        String setup,
        Optional<Role> role,
        Map<String, Optional<String>> settings,
        Map<String, String> environment,
        Optional<String> publication,
        boolean createPublication,
        String publicationOptions,
        boolean autostart,
        boolean settle,
        Set<Integer> supervise,
        boolean anyStop,
        Map<String, Set<Tolerance>> tolerated,
        Duration timeout,
        List<CaseStep> steps,
        List<CaseCheck> checks) {

    /** @param spelling of the PostgreSQL table, as SQL takes it */
    record Table(String spelling, RelationName postgres, String feldera) {}

    record Role(String name, String password) {}

    /** @param fields a file's keys, a variant's laid over them */
    static Case of(String id, CaseFields fields) {
        var read = new Case(
                id,
                fields.text("title", ""),
                fields.list("area").stream().map(CaseFields::asText).toList(),
                fields.flag("heavy", false),
                fields.list("tables").stream().map(table -> table(id, table)).toList(),
                fields.text("setup", ""),
                fields.value("role").map(role -> role(new CaseFields(id, role))),
                fields.texts("postgres"),
                present(fields.texts("env")),
                fields.text("publication"),
                fields.flag("create_publication", true),
                fields.text("publication_options", ""),
                fields.flag("autostart", true),
                fields.flag("settle", true),
                fields.value("supervise").map(Case::codes).orElse(Set.of(69, 75)),
                fields.flag("any_stop", false),
                tolerated(fields),
                fields.seconds("timeout").orElse(Duration.ofSeconds(60)),
                steps(id, fields),
                fields.list("check").stream()
                        .map(check -> CaseCheck.of(id, check))
                        .toList());
        if (read.checks.isEmpty() || read.tables.isEmpty() || read.title.isBlank())
            throw new IllegalArgumentException(id + ": checks nothing");
        CaseNames.requireGiven(read);
        return read;
    }

    /** The environment variable that names them all to the service. */
    String tablesVariable() {
        return tables.stream()
                .map(table -> table.spelling() + ":" + table.feldera())
                .collect(Collectors.joining(","));
    }

    private static List<CaseStep> steps(String id, CaseFields fields) {
        List<CaseStep> steps = new ArrayList<>();
        for (JsonValue step : fields.list("steps")) {
            steps.add(CaseStep.of("%s, step %d".formatted(id, steps.size() + 1), step));
        }
        return steps;
    }

    private static Table table(String id, JsonValue value) {
        var fields = new CaseFields(id, value);
        String spelling = fields.text("pg", "");
        String feldera = fields.text("feldera", "");
        fields.requireNothingElse();
        return new Table(
                spelling, Routes.parse(spelling + ":" + feldera).getFirst().postgres(), feldera);
    }

    private static Role role(CaseFields fields) {
        var role = new Role(fields.text("name", ""), fields.text("password", ""));
        fields.requireNothingElse();
        return role;
    }

    private static Map<String, String> present(Map<String, Optional<String>> texts) {
        Map<String, String> present = new HashMap<>();
        texts.forEach((name, text) -> text.ifPresent(value -> present.put(name, value)));
        return present;
    }

    private static Set<Integer> codes(JsonValue value) {
        return ((JsonArray) value)
                .getValuesAs(JsonNumber.class).stream()
                        .map(JsonNumber::intValueExact)
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, Set<Tolerance>> tolerated(CaseFields fields) {
        Map<String, Set<Tolerance>> tolerated = new TreeMap<>();
        fields.value("tolerate")
                .map(JsonValue::asJsonObject)
                .ifPresent(columns -> columns.forEach((column, kinds) -> tolerated.put(
                        column,
                        kinds.asJsonArray().stream()
                                .map(kind -> Tolerance.valueOf(
                                        CaseFields.asText(kind).toUpperCase(Locale.ROOT)))
                                .collect(Collectors.toSet()))));
        return tolerated;
    }
}
