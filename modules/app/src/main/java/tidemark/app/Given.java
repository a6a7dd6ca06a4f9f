package tidemark.app;

import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;
import org.eclipse.microprofile.config.spi.ConfigSource;
import tidemark.app.Setting.Preset;

/** What the configuration sources, or else the catalog, say about one key. */
sealed interface Given {
    /** The source name of what the catalog gives. */
    String DEFAULT = "default";

    /** No source has it, or has it empty, and the catalog has no default. */
    record Nowhere() implements Given {}

    /** Its <code>${…}</code> does not resolve. */
    record Unresolved(String source) implements Given {}

    record Text(String text, String source) implements Given {}

    static Given in(Config config, Setting<?> setting) {
        try {
            ConfigValue found = config.getConfigValue(setting.key());
            if (found.getSourceName() == null) return preset(setting);
            if (found.getValue() == null) return new Unresolved(found.getSourceName());
            if (found.getValue().isBlank()) return preset(setting);
            String text =
                    setting.isSecret() ? found.getValue() : found.getValue().strip();
            return new Text(text, isPackaged(found) ? DEFAULT : found.getSourceName());
        } catch (IllegalArgumentException _) {
            // An expression that refers to itself; the message would show the value, which may be a secret.
            return new Unresolved(SettingProblem.NOWHERE);
        }
    }

    /** Helidon wants the defaults of its own keys in a source: our META-INF/microprofile-config.properties. */
    private static boolean isPackaged(ConfigValue found) {
        return found.getSourceOrdinal() <= ConfigSource.DEFAULT_ORDINAL;
    }

    private static Given preset(Setting<?> setting) {
        return switch (setting.preset()) {
            case Preset.Of(String text) -> new Text(text, DEFAULT);
            case Preset.Absent _, Preset.Required _ -> new Nowhere();
        };
    }

    /** From where, for a person. */
    default Optional<String> origin() {
        return switch (this) {
            case Nowhere _ -> Optional.empty();
            case Unresolved(String source) -> Optional.of(source);
            case Text given -> Optional.of(given.source());
        };
    }
}
