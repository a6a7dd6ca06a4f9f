package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.sink.FelderaName;

class StateFileTest {
    private static final ReplicationState STATE = new ReplicationState(
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
        assertThat(file.read()).isEmpty();
    }

    @Test
    void whatWasWrittenIsReadBackWhole() {
        file.write(STATE);
        assertThat(file.read()).contains(STATE);
        file.write(STATE.stoppedClean(true));
        assertThat(file.read()).contains(STATE.stoppedClean(true));
    }

    /** A crash between the temporary file and the rename leaves the old state. */
    @Test
    void aHalfWrittenSuccessorIsNeverRead() throws IOException {
        file.write(STATE);
        Files.writeString(path.resolveSibling("tidemark.json.new"), "{\"version\":1,");
        assertThat(file.read()).contains(STATE);
        file.write(STATE.stoppedClean(true));
        assertThat(file.read()).contains(STATE.stoppedClean(true));
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
        assertThat(file.read()).isEmpty();
        file.write(STATE);
        file.requireWritable();
        assertThat(file.read()).contains(STATE);
        assertThat(path.getParent()).isDirectoryContaining("glob:**/tidemark.json");
        assertThat(path.resolveSibling("tidemark.json.new")).doesNotExist();
    }

    @Test
    void aDirectoryThatCannotBeMadeIsFoundOutBeforehand() throws IOException {
        Files.writeString(directory.resolve("deep"), "a file where a directory should be");
        assertThatExceptionOfType(UnreadableState.class)
                .isThrownBy(file::requireWritable)
                .withMessageContaining("cannot be written");
    }

    /** Two processes with one state would copy over each other and write over each other's marks. */
    @Test
    void oneHolderAtATime() {
        StateLock first = StateLock.take(path).orElseThrow();
        assertThat(StateLock.take(path)).isEmpty();
        first.close();
        assertThat(StateLock.take(path)).isPresent().hasValueSatisfying(StateLock::close);
    }
}
