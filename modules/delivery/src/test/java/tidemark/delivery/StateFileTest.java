package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest extends StateStoreContract {
    @TempDir
    Path directory;

    private Path path;
    private StateFile file;

    @BeforeEach
    void file() {
        path = directory.resolve("deep/er/tidemark.json");
        file = new StateFile(path);
    }

    @Override
    StateStore process() {
        return new StateFile(path);
    }

    /**
     * Linux has such a directory; its file system is asked for, also where the directory of the state is yet to be
     * made.
     */
    @Test
    void inMemoryItDoesNotSurviveARestart() throws IOException {
        Path memory = Path.of("/dev/shm");
        assumeThat(memory).isDirectory();
        assumeThat(Files.getFileStore(memory).type()).isEqualTo("tmpfs");
        assertThat(new StateFile(memory.resolve("nobody/makes/this/tidemark.json")).fleetingFileSystem())
                .contains("tmpfs");
    }

    /** A crash between the temporary file and the rename leaves the old state. */
    @Test
    void aHalfWrittenSuccessorIsNeverRead() throws IOException {
        file.write(STATE);
        Files.writeString(path.resolveSibling("tidemark.json.new"), "{\"version\":1,");
        assertThat(file.read().state()).contains(STATE);
        file.write(STATE.stoppedClean(true));
        assertThat(file.read().state()).contains(STATE.stoppedClean(true));
    }

    /** What it says of a table's columns is compared as far as it goes. */
    @Test
    void aFileOfATidemarkThatKeptFewerMarksIsRead() throws IOException {
        file.write(STATE);
        String whole = Files.readString(path);
        for (String later : List.of(",[\"16410.b\"],2147483648]", ",[\"16400.1.ä\\\"\"],[\"16410.b\"],2147483648]")) {
            assertThat(whole).contains(later);
            Files.writeString(path, whole.replace(later, "]"));
            var columns = new StateFile(path)
                    .read()
                    .state()
                    .orElseThrow()
                    .tables()
                    .getFirst()
                    .edition()
                    .orElseThrow()
                    .edition()
                    .columns();
            assertThat(columns).singleElement().satisfies(column -> {
                assertThat(column.number()).isEqualTo(2);
                assertThat(column.labels()).isEmpty();
                assertThat(column.altered()).isEmpty();
            });
        }
    }

    /** A change of the form is another version, or one that both read. */
    @Test
    void whatIsWrittenIsTheFormOfItsVersion() throws IOException {
        file.write(STATE);
        assertThat(path).hasSameTextualContentAs(golden("version-2.json"));
        assertThat(readBack("version-2.json")).isEqualTo(STATE);
    }

    @Test
    void anOlderVersionIsReadAsItWasMeant() throws IOException {
        assertThat(readBack("version-1.json")).isEqualTo(STATE);
    }

    /** Neither counts at its end, nor partitions that came later, nor keys, nor composites. */
    @Test
    void theFirstFormThatKeptEditionsIsRead() throws IOException {
        ReplicationState read = readBack("version-1-first.json");
        assertThat(read.origin()).isEqualTo(STATE.origin());
        assertThat(read.target()).isEqualTo(STATE.target());
        assertThat(read.clean()).as("it says so, and kept no counts").isFalse();
        assertThat(read.confirmed()).isEqualTo(STATE.confirmed());
        ReplicationState.Table users = read.tables().getFirst();
        assertThat(users.stand()).isEqualTo(ReplicationState.Stand.COPIED);
        assertThat(users.taken()).isEqualTo(users.count()).isEqualTo(1L << 40);
        EditionRead edition = users.edition().orElseThrow();
        assertThat(edition.since()).isEmpty();
        assertThat(edition.keys()).isEmpty();
        assertThat(edition.edition().columns()).hasSize(1);
        assertThat(edition.edition().stores()).singleElement().satisfies(store -> {
            assertThat(store.file()).isEqualTo(1L << 32);
            assertThat(store.attached()).isFalse();
            assertThat(store.logged()).isTrue();
        });
        assertThat(read.tables().getLast()).isEqualTo(STATE.tables().getLast());
    }

    @Test
    void anArrayThatIsTooShortIsDamage() throws IOException {
        file.write(STATE);
        Files.writeString(path, Files.readString(path).replaceAll("\"stores\":.*?]]", "\"stores\":[[1]]"));
        assertThatExceptionOfType(UnreadableState.class).isThrownBy(file::read).withMessageContaining("is damaged");
    }

    private static Path golden(String name) {
        return Path.of("src", "test", "resources", "golden", name);
    }

    private ReplicationState readBack(String name) throws IOException {
        Files.createDirectories(path.getParent());
        Files.copy(golden(name), path, StandardCopyOption.REPLACE_EXISTING);
        return new StateFile(path).read().state().orElseThrow();
    }

    @Test
    void everyTruncationIsRefusedAndNeverTakenForAbsent() throws IOException {
        file.write(STATE);
        byte[] whole = Files.readAllBytes(path);
        for (int length = 0; length < whole.length; length++) {
            Files.write(path, java.util.Arrays.copyOf(whole, length));
            assertThatExceptionOfType(UnreadableState.class).isThrownBy(file::read);
        }
    }

    @Test
    void aNewerVersionIsRefusedByName() throws IOException {
        file.write(STATE);
        Files.writeString(path, Files.readString(path).replace("\"version\":2", "\"version\":3"));
        assertThatExceptionOfType(UnreadableState.class)
                .isThrownBy(file::read)
                .withMessageContaining("version 3")
                .satisfies(e -> assertThat(e.remedy()).contains("newer"));
    }

    /** A Tidemark that kept no counts knew only what was confirmed: more may have been taken, and all of it be ours. */
    @Test
    void aFileWithoutCountsIsNeverOfAStopThatKnewThem() throws IOException {
        file.write(STATE.stoppedClean(true));
        Files.writeString(path, Files.readString(path).replaceAll(",\"taken\":[0-9]+", ""));
        ReplicationState read = file.read().state().orElseThrow();
        assertThat(read.clean()).isFalse();
        assertThat(read.tables())
                .extracting(ReplicationState.Table::taken)
                .containsExactlyElementsOf(STATE.tables().stream()
                        .map(ReplicationState.Table::count)
                        .toList());
    }

    @Test
    void aDirectoryInItsPlaceIsAnErrorAndNotAbsence() throws IOException {
        Files.createDirectories(path);
        assertThatExceptionOfType(UnreadableState.class).isThrownBy(file::read);
    }

    @Test
    void askingWhetherItCanBeWrittenLeavesNothingBeside() {
        file.requireWritable();
        assertThat(file.read().state()).isEmpty();
        file.write(STATE);
        file.requireWritable();
        assertThat(file.read().state()).contains(STATE);
        assertThat(path.getParent()).isDirectoryContaining("glob:**/tidemark.json");
        assertThat(path.resolveSibling("tidemark.json.new")).doesNotExist();
    }

    @Test
    void aDirectoryThatCannotBeMadeIsFoundOutBeforehand() throws IOException {
        Files.writeString(directory.resolve("deep"), "a file where a directory should be");
        assertThatExceptionOfType(UnreadableState.class)
                .isThrownBy(file::requireWritable)
                .withMessageContaining("cannot be made");
    }

    /** Then it is the successor who waits: what the other wrote so far would come after its own. */
    @Test
    void nobodyWritesWhileAnotherIsInTheMiddleOfIt() {
        try (FileTurn _ =
                FileTurn.take(path.resolveSibling("tidemark.json.writing")).orElseThrow()) {
            assertThatExceptionOfType(SessionOver.class)
                    .isThrownBy(() -> file.write(STATE))
                    .satisfies(over -> assertThat(over.failure())
                            .isInstanceOfSatisfying(
                                    Failure.Transient.class,
                                    why -> assertThat(why.onSlot()).isTrue()));
        }
        file.write(STATE);
    }
}
