package tidemark.app;

import java.util.List;
import java.util.stream.Collectors;

/** docs/configuration.md, made from the catalog. */
final class ConfigurationPage {
    private static final String HEAD = """
            # Configuration

            <!-- Generated from SettingsCatalog; a test fails when it is stale. Anew: -Dtidemark.docs=write -->

            Settings come from MicroProfile Config sources; a later one wins:

            1. the default in this table
            2. the file of `bin/tidemark --config FILE`: lines of `key=value`, UTF-8, as in `config/tidemark.properties`
            3. environment variables
            4. system properties, `JAVA_OPTS=-Dbatch.max-rows=500`

            An empty value counts as not set. `${other.key}` is replaced by another setting's value; write `\\${` for
            the two characters themselves. The start is refused with code 78 and a list of all problems when a value
            is out of its range, and when the *file* has a key under `postgres.`, `feldera.`, `batch.` and the like
            that is not in this table. The environment is not searched for unknown names, because others set
            `POSTGRES_PORT` and the like.
            `bin/tidemark config` prints what takes effect and from where, with secrets masked, and of what is not set what
            that means.

            """;
    private static final String TAIL = """

            ## The platform's own settings

            Whatever Helidon reads can be set beside these: `server.*`, `metrics.*`, `health.*`. The attempts of a
            single question to Feldera are MicroProfile Fault Tolerance's:
            `tidemark.app.FelderaQuestions/completion/Retry/maxRetries` [3], `…/Retry/delay` and `…/Retry/jitter` in
            milliseconds [250, 100], `…/Retry/maxDuration` [10000] after which no further attempt begins,
            `…/Timeout/value` in milliseconds [10000]; `…/CircuitBreaker/requestVolumeThreshold` [8] failed attempts in
            a row after which none is made for `…/CircuitBreaker/delay` [5000] milliseconds, and
            `…/CircuitBreaker/enabled` [true]; likewise for `stats`, `tables` and `pipeline`. In the environment:
            `tidemark_app_FelderaQuestions_completion_Retry_maxRetries`. A POST to Feldera is never repeated, whatever
            is set.
            """;

    private ConfigurationPage() {}

    static String text() {
        List<String> rows =
                SettingsCatalog.ALL.stream().map(ConfigurationPage::row).toList();
        return HEAD + "| key | environment | value | default | meaning |\n|---|---|---|---|---|\n"
                + rows.stream().collect(Collectors.joining("\n", "", "\n"))
                + TAIL;
    }

    private static String row(Setting<?> setting) {
        return "| `%s` | `%s` | %s: %s | %s | %s |"
                .formatted(
                        setting.key(),
                        setting.environmentVariable(),
                        setting.form().type(),
                        cell(setting.form().range()),
                        preset(setting.preset()),
                        cell(setting.meaning()));
    }

    private static String preset(Setting.Preset preset) {
        return switch (preset) {
            case Setting.Preset.Required() -> "**required**";
            case Setting.Preset.Absent(String effect) -> "not set: " + cell(effect);
            case Setting.Preset.Of(String text) -> "`%s`".formatted(text);
        };
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }
}
