package tidemark.app;

/**
 * One key of the configuration.
 *
 * @param meaning for docs/configuration.md, one or two sentences
 */
record Setting<T>(String key, Form<T> form, Preset preset, String meaning) {

    /** What holds when no source has the key. */
    sealed interface Preset {
        /** Without it the service does not start. */
        record Required() implements Preset {}

        /** @param effect what its absence means, for docs/configuration.md and {@code tidemark config} */
        record Absent(String effect) implements Preset {}

        record Of(String text) implements Preset {}
    }

    boolean isSecret() {
        return form.type().equals("secret");
    }

    /** The name that MicroProfile Config looks for in the environment. */
    String environmentVariable() {
        return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(java.util.Locale.ROOT);
    }
}
