package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {
    /** Maven runs tests in the module's folder. */
    private static final Path CHECKOUT = Path.of("..", "..");

    private static final Path PAGE = CHECKOUT.resolve("docs/configuration.md");

    @Test
    void thePageSaysWhatTheCatalogDoes() throws IOException {
        if (System.getProperty("tidemark.docs", "").equals("write")) Files.writeString(PAGE, ConfigurationPage.text());
        assertThat(PAGE)
                .as("stale: mvn test -pl modules/app -am -Dtidemark.docs=write")
                .hasContent(ConfigurationPage.text());
    }

    @Test
    void theExampleFileIsAccepted() {
        var file = ConfigurationFile.read(CHECKOUT.resolve("config/tidemark.properties"));
        // its password file is there only where it is deployed
        var values = Sources.of(file, "postgres.password-file", "");
        assertThat(Settings.read(values).delivery().routes()).hasSize(2);
    }

    @Test
    void helidonIsToldTheDefaultsThatTheCatalogDocuments() throws IOException {
        var packaged = new Properties();
        try (var stream = Main.class.getResourceAsStream("/META-INF/microprofile-config.properties")) {
            packaged.load(stream);
        }
        assertThat(new Setting.Preset.Of(packaged.getProperty("server.port")))
                .isEqualTo(SettingsCatalog.SERVER_PORT.preset());
        assertThat(new Setting.Preset.Of(packaged.getProperty("server.host")))
                .isEqualTo(SettingsCatalog.SERVER_HOST.preset());
    }

    @Test
    void everyDefaultIsInItsRange() {
        assertThat(SettingsCatalog.ALL).allSatisfy(setting -> {
            if (setting.preset() instanceof Setting.Preset.Of(String text)) {
                assertThat(setting.form().read().apply(text)).isNotNull();
            }
        });
    }
}
