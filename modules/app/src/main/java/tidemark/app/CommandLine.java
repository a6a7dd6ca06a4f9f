package tidemark.app;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the words after {@code tidemark} ask for. */
sealed interface CommandLine {
    String USAGE = """
            usage: tidemark [run | verify [TABLE ...] | slot drop [--yes] | config | help] [--config FILE]

              run       replicates until it is stopped (the default)
              verify    compares the tables, or these, row by row, while no service runs; takes the service's place and
                        delivers first what it has not delivered. Ends with 0 when all are the same, with 1 when not
              slot drop drops the replication slot while no service runs; says first what is lost, and asks for the slot's
                        name on standard input, or not with --yes
              config    prints the effective configuration, where each value comes from, and every problem it has
              help      prints this
              --config FILE   a file of key=value lines; the environment and system properties override it
              --version       prints the version

            Settings come from the file, from environment variables (batch.max-rows is BATCH_MAX_ROWS) and from system
            properties in JAVA_OPTS; docs/configuration.md lists them.
            """;

    record Run(Optional<Path> configuration) implements CommandLine {}

    /** @param tables as PostgreSQL names them; none means all */
    record Verify(Optional<Path> configuration, List<String> tables) implements CommandLine {}

    /** @param asks for the slot's name first */
    record SlotDrop(Optional<Path> configuration, boolean asks) implements CommandLine {}

    record ShowConfiguration(Optional<Path> configuration) implements CommandLine {}

    record Help() implements CommandLine {}

    record Version() implements CommandLine {}

    record Misuse(String why) implements CommandLine {}

    static CommandLine parse(String... words) {
        var rest = new ArrayDeque<>(List.of(words));
        List<String> operands = new ArrayList<>();
        Optional<Path> configuration = Optional.empty();
        boolean yes = false;
        while (!rest.isEmpty()) {
            String word = rest.removeFirst();
            switch (word) {
                case "--help", "-h" -> {
                    return new Help();
                }
                case "--version" -> {
                    return new Version();
                }
                case "--config" -> {
                    if (rest.isEmpty()) return new Misuse("--config needs a file");
                    configuration = Optional.of(Path.of(rest.removeFirst()));
                }
                case "--yes" -> yes = true;
                default -> {
                    if (word.startsWith("-")) return new Misuse("unknown: " + word);
                    operands.add(word);
                }
            }
        }
        String command = operands.isEmpty() ? "run" : operands.removeFirst();
        if (command.equals("slot") && operands.equals(List.of("drop"))) return new SlotDrop(configuration, !yes);
        if (yes) return new Misuse("--yes goes with slot drop alone");
        return named(command, List.copyOf(operands), configuration);
    }

    private static CommandLine named(String command, List<String> operands, Optional<Path> configuration) {
        if (command.equals("verify")) return new Verify(configuration, operands);
        if (!operands.isEmpty()) return new Misuse("unknown: " + operands.getFirst());
        return switch (command) {
            case "run" -> new Run(configuration);
            case "config" -> new ShowConfiguration(configuration);
            case "help" -> new Help();
            default -> new Misuse("unknown: " + command);
        };
    }
}
