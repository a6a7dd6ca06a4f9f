package tidemark.app;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** The properties file that {@code --config} names. Above the packaged defaults (100), below the environment (300). */
final class ConfigurationFile implements ConfigSource {
    private static final int BETWEEN_DEFAULTS_AND_ENVIRONMENT = 200;

    private final Path path;
    private final Map<String, String> properties;

    private ConfigurationFile(Path path, Map<String, String> properties) {
        this.path = path;
        this.properties = properties;
    }

    /** @throws Misconfigured if it cannot be read as properties in UTF-8 */
    static ConfigurationFile read(Path path) {
        var lines = new Properties();
        try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
            lines.load(reader);
        } catch (IOException | IllegalArgumentException failure) {
            throw new Misconfigured(List.of(new SettingProblem(
                    "--config",
                    "the command line",
                    "names %s, which cannot be read: %s"
                            .formatted(path, failure.getClass().getSimpleName()),
                    "give a readable file of key=value lines in UTF-8")));
        }
        var properties = new TreeMap<String, String>();
        lines.stringPropertyNames()
                .forEach(key -> properties.put(key, lines.getProperty(key).strip()));
        return new ConfigurationFile(path, properties);
    }

    @Override
    public Set<String> getPropertyNames() {
        return properties.keySet();
    }

    /** Null when absent, as the interface wants it. */
    @Override
    @SuppressWarnings("NullAway") // MicroProfile Config's contract
    public String getValue(String key) {
        return properties.get(key);
    }

    @Override
    public int getOrdinal() {
        return BETWEEN_DEFAULTS_AND_ENVIRONMENT;
    }

    @Override
    public String getName() {
        return path.toString();
    }
}
