package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.sink.FelderaName;

class StateFileTest {
    static final ReplicationState STATE = new ReplicationState(
            new ReplicationState.Origin("7312345678901234567", 3, "shop", "tidemark"),
            new ReplicationState.Target("http://localhost:8080/v0/pipelines/p", "01a228ad"),
            false,
            Lsn.parse("16/B374D848"),
            List.of(
                    new ReplicationState.Table(
                            new RelationName("public", "Us\"ers.ü"),
                            0xFFFF_FFF0,
                            new FelderaName("Users", true),
                            ReplicationState.Stand.COPIED,
                            Lsn.parse("FFFFFFFF/0"),
                            1L << 40),
                    new ReplicationState.Table(
                            new RelationName("public", "items"),
                            16_385,
                            new FelderaName("items", false),
                            ReplicationState.Stand.PENDING,
                            Lsn.ZERO,
                            0)));

    @TempDir
    Path directory;

    private Path path;
    private StateFile file;

    @BeforeEach
    void file() {
        path = directory.resolve("deep/er/tidemark.json");
        file = new StateFile(path);
    }

    @Test
    void absentMeansFromScratch() {
        assertThat(file.read().state()).isEmpty();
    }

    @Test
    void whatWasWrittenIsReadBackWhole() {
        file.write(STATE);
        assertThat(file.read().state()).contains(STATE);
        file.write(STATE.stoppedClean(true));
        assertThat(file.read().state()).contains(STATE.stoppedClean(true));
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
        Files.writeString(path, Files.readString(path).replace("\"version\":1", "\"version\":2"));
        assertThatExceptionOfType(UnreadableState.class)
                .isThrownBy(file::read)
                .withMessageContaining("version 2")
                .satisfies(e -> assertThat(e.remedy()).contains("newer"));
    }

    @Test
    void aDirectoryInItsPlaceIsAnErrorAndNotAbsence() throws IOException {
        Files.createDirectories(path);
        assertThatExceptionOfType(UnreadableState.class).isThrownBy(file::read);
    }

    @Test
    void askingWhetherItCanBeWrittenLeavesWhatIsThere() {
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

    /** Two processes that begin with one state would copy over each other and write over each other's marks. */
    @Test
    void oneBeginsAtATime() {
        StateStore.Turn first = file.takeTurn().orElseThrow();
        var second = new StateFile(path);
        assertThat(second.takeTurn()).isEmpty();
        first.close();
        assertThat(second.takeTurn()).isPresent().hasValueSatisfying(StateStore.Turn::close);
    }

    /** It was frozen, and its marks are older than those of its successor. */
    @Test
    void whoWasReplacedDoesNotWriteOverItsSuccessorsState() {
        file.write(STATE);
        var successor = new StateFile(path);
        assertThat(successor.read()).isEqualTo(new StateStore.Known(Optional.of(STATE), false));
        successor.write(STATE.stoppedClean(true));
        assertThatExceptionOfType(SessionOver.class).isThrownBy(() -> file.write(STATE));
        assertThat(successor.read()).isEqualTo(new StateStore.Known(Optional.of(STATE.stoppedClean(true)), true));
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
