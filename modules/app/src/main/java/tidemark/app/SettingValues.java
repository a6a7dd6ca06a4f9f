package tidemark.app;

import static tidemark.app.SettingsCatalog.CRASH_AFTER_BATCHES;
import static tidemark.app.SettingsCatalog.CRASH_AT;
import static tidemark.app.SettingsCatalog.FELDERA_API_KEY;
import static tidemark.app.SettingsCatalog.FELDERA_API_KEY_FILE;
import static tidemark.app.SettingsCatalog.FELDERA_TABLE;
import static tidemark.app.SettingsCatalog.MANAGEMENT_TOKEN;
import static tidemark.app.SettingsCatalog.MANAGEMENT_TOKEN_FILE;
import static tidemark.app.SettingsCatalog.PG_TABLE;
import static tidemark.app.SettingsCatalog.POSTGRES_PASSWORD;
import static tidemark.app.SettingsCatalog.POSTGRES_PASSWORD_FILE;
import static tidemark.app.SettingsCatalog.POSTGRES_SSLCERT;
import static tidemark.app.SettingsCatalog.POSTGRES_SSLKEY;
import static tidemark.app.SettingsCatalog.POSTGRES_URL;
import static tidemark.app.SettingsCatalog.POSTGRES_USER;
import static tidemark.app.SettingsCatalog.TABLES;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import tidemark.delivery.Routes;

/** The value of every setting of the catalog, or the list of everything that is wrong. Reads each key once. */
final class SettingValues {
    private final Map<Setting<?>, Object> values = new HashMap<>();
    private final List<SettingProblem> problems = new ArrayList<>();
    private final Config config;

    private SettingValues(Config config) {
        this.config = config;
    }

    /** @throws Misconfigured with every problem there is */
    static SettingValues read(Config config) {
        var values = new SettingValues(config);
        SettingsCatalog.ALL.forEach(values::readOne);
        values.sourceGoesTogether();
        values.oneOfEach(FELDERA_API_KEY, FELDERA_API_KEY_FILE);
        values.oneOfEach(MANAGEMENT_TOKEN, MANAGEMENT_TOKEN_FILE);
        values.tablesInOneForm();
        values.tablesGoTogether();
        values.crashHasItsPoint();
        return values.unlessProblems();
    }

    /**
     * Only those that tell where the slot is and what is known of it.
     *
     * @throws Misconfigured with every problem that these have
     */
    static SettingValues readSource(Config config) {
        var values = new SettingValues(config);
        SettingsCatalog.source().forEach(values::readOne);
        values.sourceGoesTogether();
        return values.unlessProblems();
    }

    /**
     * Only those that tell how the running service is asked.
     *
     * @throws Misconfigured with every problem that these have
     */
    static SettingValues readDoor(Config config) {
        var values = new SettingValues(config);
        SettingsCatalog.door().forEach(values::readOne);
        values.oneOfEach(MANAGEMENT_TOKEN, MANAGEMENT_TOKEN_FILE);
        return values.unlessProblems();
    }

    private void sourceGoesTogether() {
        oneOfEach(POSTGRES_PASSWORD, POSTGRES_PASSWORD_FILE);
        userIsKnown();
        certificateHasItsKey();
    }

    private SettingValues unlessProblems() {
        filesHoldNoUnknownKeys();
        if (!problems.isEmpty()) throw new Misconfigured(problems);
        return this;
    }

    <T> T get(Setting<T> setting) {
        return find(setting).orElseThrow();
    }

    @SuppressWarnings("unchecked") // readOne puts what the setting's own form read
    <T> Optional<T> find(Setting<T> setting) {
        return Optional.ofNullable((T) values.get(setting));
    }

    private void readOne(Setting<?> setting) {
        Given given = Given.in(config, setting);
        switch (given) {
            case Given.Nowhere _
            when setting.preset() instanceof Setting.Preset.Required ->
                problem(
                        setting.key(),
                        SettingProblem.NOWHERE,
                        "is not set",
                        "give %s, for instance in %s".formatted(setting.form().range(), setting.environmentVariable()));
            case Given.Nowhere _ -> {}
            case Given.Unresolved(String source) ->
                problem(
                        setting.key(),
                        source,
                        "refers to another property that is not set",
                        "set that one, or write \\${ for a dollar sign and a brace that stand for themselves");
            case Given.Text(String text, String source) -> take(setting, text, source);
        }
    }

    private void take(Setting<?> setting, String text, String source) {
        try {
            values.put(setting, setting.form().read().apply(text));
        } catch (Form.Unfit unfit) {
            problem(
                    setting.key(),
                    source,
                    unfit.reason(),
                    "give " + setting.form().range());
        }
    }

    private void oneOfEach(Setting<?> secret, Setting<?> file) {
        if (isGiven(secret) && isGiven(file)) {
            problem(secret.key(), source(secret), "and %s are both set".formatted(file.key()), "keep one of the two");
        }
    }

    private void crashHasItsPoint() {
        if (!source(CRASH_AFTER_BATCHES).equals(Given.DEFAULT) && !isGiven(CRASH_AT)) {
            problem(
                    CRASH_AFTER_BATCHES.key(),
                    source(CRASH_AFTER_BATCHES),
                    "says when, but %s does not say where".formatted(CRASH_AT.key()),
                    "set both, or neither");
        }
    }

    private void userIsKnown() {
        Optional<String> inUrl = find(POSTGRES_URL).flatMap(PostgresUrl::user);
        if (!isGiven(POSTGRES_USER) && isGiven(POSTGRES_URL) && inUrl.isEmpty()) {
            problem(POSTGRES_USER.key(), SettingProblem.NOWHERE, "is not set", "set it to a role with REPLICATION");
        }
    }

    private void certificateHasItsKey() {
        if (isGiven(POSTGRES_SSLCERT) != isGiven(POSTGRES_SSLKEY)) {
            Setting<?> given = isGiven(POSTGRES_SSLCERT) ? POSTGRES_SSLCERT : POSTGRES_SSLKEY;
            Setting<?> missing = isGiven(POSTGRES_SSLCERT) ? POSTGRES_SSLKEY : POSTGRES_SSLCERT;
            problem(given.key(), source(given), "is set without " + missing.key(), "set both or neither");
        }
    }

    private void tablesInOneForm() {
        boolean list = isGiven(TABLES);
        boolean pair = isGiven(PG_TABLE) || isGiven(FELDERA_TABLE);
        if (list && pair) {
            problem(
                    TABLES.key(),
                    source(TABLES),
                    "is set beside pg.table or feldera.table",
                    "keep one of the two forms");
        } else if (!list && !pair) {
            problem(
                    TABLES.key(),
                    SettingProblem.NOWHERE,
                    "is not set",
                    "set it, for instance to users,items:LINEITEMS");
        } else if (pair) {
            pairOfTables();
        }
    }

    private void pairOfTables() {
        if (!isGiven(PG_TABLE) || !isGiven(FELDERA_TABLE)) {
            Setting<?> missing = isGiven(PG_TABLE) ? FELDERA_TABLE : PG_TABLE;
            problem(
                    missing.key(),
                    SettingProblem.NOWHERE,
                    "is not set",
                    "set both pg.table and feldera.table, or tables");
            return;
        }
        Optional<String> postgres = find(PG_TABLE);
        Optional<String> feldera = find(FELDERA_TABLE);
        if (postgres.isEmpty() || feldera.isEmpty()) return; // already a problem
        try {
            SettingsCatalog.route(postgres.get(), feldera.get());
        } catch (Form.Unfit unfit) {
            problem(PG_TABLE.key(), source(PG_TABLE), unfit.reason(), "write each of the two as in " + TABLES.key());
        }
    }

    private void tablesGoTogether() {
        find(TABLES).map(Routes::problems).orElse(List.of()).forEach(found -> {
            String reason = "cannot be taken together, %s: %s".formatted(found.what(), found.why());
            problem(TABLES.key(), source(TABLES), reason, found.remedy());
        });
    }

    /** Only files: in the environment others set POSTGRES_PORT and the like. */
    private void filesHoldNoUnknownKeys() {
        config.getConfigSources().forEach(source -> {
            if (source instanceof ConfigurationFile file)
                file.getPropertyNames().forEach(key -> knownIn(file, key));
        });
    }

    private void knownIn(ConfigurationFile file, String key) {
        if (!SettingsCatalog.isUnknown(key)) return;
        String remedy = MeantKey.nearest(key)
                .map("did you mean %s?"::formatted)
                .orElse("remove it; docs/configuration.md lists the keys there are");
        problem(key, file.getName(), "is not a setting", remedy);
    }

    private boolean isGiven(Setting<?> setting) {
        return !(Given.in(config, setting) instanceof Given.Nowhere);
    }

    private String source(Setting<?> setting) {
        return Given.in(config, setting).origin().orElse(SettingProblem.NOWHERE);
    }

    private void problem(String key, String source, String reason, String remedy) {
        problems.add(new SettingProblem(key, source, reason, remedy));
    }
}
