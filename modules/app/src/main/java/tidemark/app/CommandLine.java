package tidemark.app;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the words after {@code tidemark} ask for. */
sealed interface CommandLine {
    String USAGE = """
            usage: tidemark [run | verify [--repair] [TABLE ...] | resync [--cancel] TABLE | status | slot drop [--yes]
                            | config | help] [--config FILE]

              run       replicates until it is stopped (the default)
              verify    compares the tables, or these, row by row: beside the running service, which it asks for it, or in
                        the place of a stopped one. Ends with 0 when all are the same, with 1 when not
                        --repair   sends what differs, and then ends with 0
              resync    has the running service read the table again, mends what differs, and waits for it
                        --cancel   has it not read it after all, as long as nothing of it was changed
              status    prints what the running service says of itself, as JSON
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

    /**
     * @param tables as PostgreSQL names them; none means all
     * @param mends what differs
     */
    record Verify(Optional<Path> configuration, List<String> tables, boolean mends) implements CommandLine {}

    /**
     * @param table spelled as in the configuration
     * @param cancels what was asked for before
     */
    record Resync(Optional<Path> configuration, String table, boolean cancels) implements CommandLine {}

    /** Of the running service. */
    record Status(Optional<Path> configuration) implements CommandLine {}

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
        boolean repair = false;
        boolean cancel = false;
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
                case "--repair" -> repair = true;
                case "--cancel" -> cancel = true;
                default -> {
                    if (word.startsWith("-")) return new Misuse("unknown: " + word);
                    operands.add(word);
                }
            }
        }
        String command = operands.isEmpty() ? "run" : operands.removeFirst();
        if (repair && !command.equals("verify")) return new Misuse("--repair goes with verify alone");
        if (cancel && !command.equals("resync")) return new Misuse("--cancel goes with resync alone");
        if (command.equals("slot") && operands.equals(List.of("drop"))) return new SlotDrop(configuration, !yes);
        if (yes) return new Misuse("--yes goes with slot drop alone");
        if (command.equals("verify")) return new Verify(configuration, List.copyOf(operands), repair);
        if (command.equals("resync")) {
            return operands.size() == 1
                    ? new Resync(configuration, operands.getFirst(), cancel)
                    : new Misuse("resync takes one table");
        }
        return named(command, List.copyOf(operands), configuration);
    }

    private static CommandLine named(String command, List<String> operands, Optional<Path> configuration) {
        if (!operands.isEmpty()) return new Misuse("unknown: " + operands.getFirst());
        return switch (command) {
            case "run" -> new Run(configuration);
            case "status" -> new Status(configuration);
            case "config" -> new ShowConfiguration(configuration);
            case "help" -> new Help();
            default -> new Misuse("unknown: " + command);
        };
    }
}
