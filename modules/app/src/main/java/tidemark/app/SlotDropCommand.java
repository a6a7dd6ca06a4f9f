package tidemark.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import tidemark.delivery.ExitCode;
import tidemark.delivery.SlotDrop;
import tidemark.replication.PostgresSource;

/** {@code tidemark slot drop}: put together without the container, and without a word of Feldera. */
final class SlotDropCommand {
    private SlotDropCommand() {}

    /**
     * @param asks for the slot's name before it is dropped
     * @param in where the answer comes from: one line, or the end of it for no
     * @param prompt takes the question
     * @param report takes what is lost and what was done, line by line
     */
    static ExitCode run(
            SourceSettings settings, boolean asks, InputStream in, PrintStream prompt, Consumer<String> report) {
        try (var postgres = new PostgresSource(settings.postgres(), InstantSource.system())) {
            var drop = new SlotDrop(
                    postgres, settings.stateFile(), settings.snapshotMode(), settings.onStateLoss(), report);
            return asks ? drop.run(() -> answer(in, prompt)) : drop.runUnasked();
        }
    }

    private static Optional<String> answer(InputStream in, PrintStream prompt) {
        prompt.print("Type the slot's name to drop it: ");
        prompt.flush();
        try {
            return Optional.ofNullable(
                    new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("standard input cannot be read", unreadable);
        }
    }
}
