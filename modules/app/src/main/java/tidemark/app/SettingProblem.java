package tidemark.app;

/**
 * One thing wrong with the configuration.
 *
 * @param key of the setting
 * @param source the name of the configuration source it came from, or that none has it
 * @param reason follows the key: "is 0"
 * @param remedy what to write instead
 */
record SettingProblem(String key, String source, String reason, String remedy) {
    static final String NOWHERE = "no configuration source";

    @Override
    public String toString() {
        return "%s %s (%s): %s".formatted(key, reason, source, remedy);
    }
}
