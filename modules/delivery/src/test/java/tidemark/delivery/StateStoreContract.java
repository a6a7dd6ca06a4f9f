package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.replication.TableEdition;
import tidemark.sink.FelderaName;

/** What delivery relies on, of any place where the state survives. */
abstract class StateStoreContract {
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
                            1L << 40,
                            (1L << 40) + 7,
                            Optional.of(edition())),
                    new ReplicationState.Table(
                            new RelationName("public", "items"),
                            16_385,
                            new FelderaName("items", false),
                            ReplicationState.Stand.PENDING,
                            Lsn.ZERO,
                            0,
                            0)));

    private static EditionRead edition() {
        var store = new TableEdition.Store(0xFFFF_FFF1, "p\"1", "700.701.", 1L << 32, true, false);
        return new EditionRead(
                new TableEdition(
                        new RelationName("public", "Us\"ers.ü"),
                        0xFFFF_FFF0,
                        Optional.of("p16390 1"),
                        List.of(new TableEdition.Column(
                                2,
                                "ä\"",
                                0xFFFF_FFF2,
                                -1,
                                true,
                                List.of("16400.1.ä\""),
                                List.of("16410.b"),
                                Optional.of(1L << 31))),
                        List.of(store),
                        List.of()),
                List.of(store),
                List.of(new EditionRead.KeySince("c16440", Lsn.parse("1/2"))));
    }

    /** Another process, with the same state. */
    abstract StateStore process();

    @Test
    void absentMeansFromScratch() {
        assertThat(process().read().state()).isEmpty();
    }

    @Test
    void whatWasWrittenIsReadBackWhole() {
        StateStore store = process();
        store.write(STATE);
        assertThat(store.read()).isEqualTo(new StateStore.Known(Optional.of(STATE), true));
        store.write(STATE.stoppedClean(true));
        assertThat(process().read()).isEqualTo(new StateStore.Known(Optional.of(STATE.stoppedClean(true)), false));
    }

    @Test
    void askingWhetherItCanBeWrittenLeavesWhatIsThere() {
        StateStore store = process();
        store.requireWritable();
        assertThat(store.read().state()).isEmpty();
        store.write(STATE);
        store.requireWritable();
        assertThat(store.read().state()).contains(STATE);
    }

    /** Two processes that begin with one state would copy over each other and write over each other's marks. */
    @Test
    void oneBeginsAtATime() {
        StateStore.Turn first = process().takeTurn().orElseThrow();
        StateStore second = process();
        assertThat(second.takeTurn()).isEmpty();
        first.close();
        first.close();
        assertThat(second.takeTurn()).isPresent().hasValueSatisfying(StateStore.Turn::close);
    }

    /** It was frozen, and its marks are older than those of its successor. */
    @Test
    void whoWasReplacedDoesNotWriteOverItsSuccessorsState() {
        StateStore frozen = process();
        frozen.write(STATE);
        StateStore successor = process();
        assertThat(successor.read()).isEqualTo(new StateStore.Known(Optional.of(STATE), false));
        successor.write(STATE.stoppedClean(true));
        assertThatExceptionOfType(SessionOver.class)
                .isThrownBy(() -> frozen.write(STATE))
                .satisfies(over -> assertThat(over.failure())
                        .isInstanceOfSatisfying(
                                Failure.Transient.class,
                                why -> assertThat(why.onSlot()).isTrue()));
        assertThat(successor.read()).isEqualTo(new StateStore.Known(Optional.of(STATE.stoppedClean(true)), true));
    }

    /** It may have left a request behind, too. */
    @Test
    void aSuccessorThatWroteTheSameStateIsNoticed() {
        StateStore frozen = process();
        frozen.write(STATE);
        StateStore successor = process();
        successor.read();
        successor.write(STATE);
        assertThatExceptionOfType(SessionOver.class).isThrownBy(() -> frozen.write(STATE));
        assertThat(frozen.read()).isEqualTo(new StateStore.Known(Optional.of(STATE), false));
    }
}
