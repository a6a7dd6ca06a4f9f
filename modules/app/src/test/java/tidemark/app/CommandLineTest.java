package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
    private static final Path FILE = Path.of("tidemark.properties");

    @Test
    void runIsTheDefault() {
        assertThat(CommandLine.parse()).isEqualTo(new CommandLine.Run(Optional.empty()));
        assertThat(CommandLine.parse("run")).isEqualTo(new CommandLine.Run(Optional.empty()));
    }

    @Test
    void theConfigurationFileMayStandOnEitherSideOfTheCommand() {
        assertThat(CommandLine.parse("--config", FILE.toString())).isEqualTo(new CommandLine.Run(Optional.of(FILE)));
        assertThat(CommandLine.parse("config", "--config", FILE.toString()))
                .isEqualTo(new CommandLine.ShowConfiguration(Optional.of(FILE)));
        assertThat(CommandLine.parse("--config", FILE.toString(), "config"))
                .isEqualTo(new CommandLine.ShowConfiguration(Optional.of(FILE)));
    }

    @Test
    void helpAndVersionAreUnderstoodAnywhere() {
        assertThat(CommandLine.parse("help")).isEqualTo(new CommandLine.Help());
        assertThat(CommandLine.parse("run", "--help")).isEqualTo(new CommandLine.Help());
        assertThat(CommandLine.parse("--version")).isEqualTo(new CommandLine.Version());
    }

    @Test
    void verifyTakesTablesAndNothingElseDoes() {
        assertThat(CommandLine.parse("verify")).isEqualTo(new CommandLine.Verify(Optional.empty(), List.of(), false));
        assertThat(CommandLine.parse("verify", "users", "--config", FILE.toString(), "shop.items"))
                .isEqualTo(new CommandLine.Verify(Optional.of(FILE), List.of("users", "shop.items"), false));
        assertThat(CommandLine.parse("verify", "--repair", "users"))
                .isEqualTo(new CommandLine.Verify(Optional.empty(), List.of("users"), true));
        assertThat(CommandLine.parse("resync", "users"))
                .isEqualTo(new CommandLine.Resync(Optional.empty(), "users", false));
        assertThat(CommandLine.parse("resync", "--cancel", "users"))
                .isEqualTo(new CommandLine.Resync(Optional.empty(), "users", true));
        assertThat(CommandLine.parse("verify", "--cancel")).isInstanceOf(CommandLine.Misuse.class);
        assertThat(CommandLine.parse("resync")).isInstanceOf(CommandLine.Misuse.class);
        assertThat(CommandLine.parse("resync", "users", "items")).isInstanceOf(CommandLine.Misuse.class);
        assertThat(CommandLine.parse("run", "--repair")).isInstanceOf(CommandLine.Misuse.class);
        assertThat(CommandLine.parse("status", "--config", FILE.toString()))
                .isEqualTo(new CommandLine.Status(Optional.of(FILE)));
        assertThat(CommandLine.parse("config", "users")).isInstanceOf(CommandLine.Misuse.class);
        assertThat(CommandLine.parse("verify", "--fast")).isInstanceOf(CommandLine.Misuse.class);
    }

    @Test
    void droppingTheSlotAsksUnlessItWasToldYes() {
        assertThat(CommandLine.parse("slot", "drop")).isEqualTo(new CommandLine.SlotDrop(Optional.empty(), true));
        assertThat(CommandLine.parse("--config", FILE.toString(), "slot", "drop", "--yes"))
                .isEqualTo(new CommandLine.SlotDrop(Optional.of(FILE), false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--config",
                "start",
                "run run",
                "run --fast",
                "-c",
                "slot",
                "drop",
                "slot drop shop",
                "run --yes",
                "slot --yes"
            })
    void anythingElseIsMisuse(String words) {
        assertThat(CommandLine.parse(words.split(" "))).isInstanceOf(CommandLine.Misuse.class);
    }
}
