package tidemark.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a module requires, exports and opens is decided once, in a golden file, and never slips in with other work. */
class DescriptorsTest {
    private static final Path GOLDEN = Checkout.ROOT.resolve("module-info-check/src/test/resources/golden");

    static List<String> folders() {
        return Checkout.modules();
    }

    @ParameterizedTest
    @MethodSource("folders")
    void aDescriptorSaysWhatItsGoldenFileSays(String folder) throws IOException {
        // given
        String actual = DescriptorText.of(descriptor(folder));
        Path golden = GOLDEN.resolve("tidemark." + folder + ".txt");
        Path proposal = Files.createDirectories(Checkout.ROOT.resolve("module-info-check/target/golden"))
                .resolve(golden.getFileName());
        Files.writeString(proposal, actual);
        // then
        assertThat(golden)
                .as("no golden file for modules/%s; if the module is meant, copy %s", folder, fromRoot(proposal))
                .exists();
        assertThat(actual.lines())
                .as(
                        "modules/%s/…/module-info.java against %s; if the change is meant, copy %s over it",
                        folder, fromRoot(golden), fromRoot(proposal))
                .containsExactlyElementsOf(Files.readAllLines(golden));
    }

    @Test
    void everyGoldenFileBelongsToAModule() throws IOException {
        try (var golden = Files.list(GOLDEN)) {
            assertThat(golden.map(file -> file.getFileName().toString().replaceAll("^tidemark\\.|\\.txt$", "")))
                    .containsExactlyInAnyOrderElementsOf(Checkout.modules());
        }
    }

    /** One flat package per module makes package-private an encapsulation; a second package is a second module. */
    @ParameterizedTest
    @MethodSource("folders")
    void aModuleIsNamedLikeItsFolderAndHasOnePackageNamedLikeItself(String folder) {
        ModuleDescriptor module = descriptor(folder);
        assertThat(module.name()).isEqualTo("tidemark." + folder);
        assertThat(module.packages()).containsExactly("tidemark." + folder);
    }

    private static ModuleDescriptor descriptor(String folder) {
        Path classes = Checkout.compiledClassesOf(folder);
        assertThat(classes.resolve("module-info.class"))
                .as("modules/%s has no compiled descriptor", folder)
                .exists();
        return List.copyOf(ModuleFinder.of(classes).findAll()).getFirst().descriptor();
    }

    private static Path fromRoot(Path file) {
        return Checkout.ROOT.relativize(file);
    }
}
