package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EffectiveConfigurationTest {
    @Test
    void everySettingIsShownWithWhereItComesFrom() {
        var lines = EffectiveConfiguration.lines(Sources.least("batch.max-rows", "7", "postgres.password", "x"));
        assertThat(lines).hasSameSizeAs(SettingsCatalog.ALL);
        assertThat(lines).anyMatch(line -> line.matches("batch\\.max-rows += 7   # test"));
        assertThat(lines).anyMatch(line -> line.matches("postgres\\.password += \\*+   # test"));
        assertThat(lines).anyMatch(line -> line.matches("postgres\\.slot += tidemark   # default"));
        assertThat(lines)
                .anyMatch(line -> line.matches("feldera\\.api-key +# not set: the file's; without either, none"));
        assertThat(lines)
                .anyMatch(
                        line -> line.matches("state\\.file +# not set: state/<slot>\\.json in the working directory"));
    }

    /** Wrong values are shown too: they are what one looks for. */
    @Test
    void aRefusedValueIsShown() {
        assertThat(EffectiveConfiguration.lines(Sources.least("batch.max-rows", "many")))
                .anyMatch(line -> line.contains("= many "));
    }
}
