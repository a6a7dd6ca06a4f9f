package tidemark.app;

import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;

/** The configuration as it takes effect: one line per setting, with the source it comes from. Secrets are masked. */
final class EffectiveConfiguration {
    private static final String MASK = "********";

    private EffectiveConfiguration() {}

    static List<String> lines(Config config) {
        int width = SettingsCatalog.ALL.stream()
                .mapToInt(setting -> setting.key().length())
                .max()
                .orElseThrow();
        return SettingsCatalog.ALL.stream()
                .map(setting -> line(setting, Given.in(config, setting), width))
                .collect(Collectors.toList());
    }

    private static String line(Setting<?> setting, Given given, int width) {
        String key = setting.key() + " ".repeat(width - setting.key().length());
        return switch (given) {
            case Given.Nowhere _ -> "%s   # not set%s".formatted(key, effect(setting.preset()));
            case Given.Unresolved(String source) -> "%s = (unresolved)   # %s".formatted(key, source);
            case Given.Text(String text, String source) ->
                "%s = %s   # %s".formatted(key, shown(setting, text), source);
        };
    }

    private static String effect(Setting.Preset preset) {
        return preset instanceof Setting.Preset.Absent(String effect) ? ": " + effect.replace("`", "") : "";
    }

    private static String shown(Setting<?> setting, String text) {
        if (setting.isSecret()) return MASK;
        if (!setting.form().type().equals("URL")) return text;
        // What stands before an @ or behind a ? may be a password, also in a URL that is refused.
        return text.replaceAll("//.*@", "//" + MASK + "@").replaceAll("\\?.*", "?" + MASK);
    }
}
