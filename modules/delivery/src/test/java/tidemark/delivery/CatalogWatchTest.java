package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.replication.ChangeSource;
import tidemark.replication.TableEdition;
import tidemark.replication.TableEdition.Store;

/** What is seen between two writes of the state, whatever comes of it later. */
class CatalogWatchTest {
    private final TablePlan plan = new TableFixture("t")
            .both("id", 23, "INTEGER!")
            .key("id")
            .partitions()
            .plan();
    private final ArrayDeque<Supplier<List<TableEdition>>> catalog = new ArrayDeque<>();
    private final CatalogWatch watch = new CatalogWatch(
            source(),
            new StatusBoard(TableFixture.settings("t").routes(), InstantSource.system()),
            new DriftRemedy(
                    DeliverySettings.DriftPolicy.REPORT,
                    _ -> new ResyncReply.Accepted(),
                    _ -> false,
                    InstantSource.system()),
            InstantSource.system());
    private final Listening log = new Listening();

    @AfterEach
    void close() {
        log.close();
    }

    private ChangeSource source() {
        return (ChangeSource) Proxy.newProxyInstance(
                ChangeSource.class.getClassLoader(),
                new Class<?>[] {ChangeSource.class},
                (_, method, _) -> switch (method.getName()) {
                    case "editions" -> catalog.remove().get();
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private TableEdition edition(int... partitions) {
        return new TableEdition(
                plan.postgres(),
                plan.shape().oid(),
                Optional.of("m"),
                List.of(),
                Stream.of(partitions)
                        .flatMapToInt(java.util.Arrays::stream)
                        .mapToObj(oid -> new Store(oid, "t_" + oid, "700.", oid, false))
                        .toList(),
                List.of());
    }

    private ReplicationState state(EditionRead read) {
        return new ReplicationState(
                new ReplicationState.Origin("1", 1, "d", "s"),
                new ReplicationState.Target("http://p", "life"),
                false,
                Lsn.ZERO,
                List.of(new ReplicationState.Table(
                                plan.postgres(),
                                plan.shape().oid(),
                                plan.feldera().name(),
                                ReplicationState.Stand.COPIED,
                                Lsn.ZERO,
                                0,
                                0)
                        .of(read)));
    }

    private ReplicationState begin(TableEdition read) {
        ReplicationState state = state(new EditionRead(read, List.of(), List.of()));
        watch.begin(List.of(plan), state, List.of(read));
        return state;
    }

    private void look(TableEdition seen) {
        catalog.add(() -> List.of(seen));
        watch.look();
    }

    private List<Integer> since(ReplicationState state) {
        EditionRead read = state.tables().getFirst().edition().orElseThrow();
        return read.since().stream().map(Store::oid).toList();
    }

    @Test
    void aPartitionThatCameAndWentBetweenTwoWritesIsNotForgotten() {
        ReplicationState state = begin(edition(1));
        look(edition(1, 2));
        look(edition(1, 3));
        assertThat(since(watch.seenBy(state))).containsExactly(2, 3);
        assertThat(since(watch.seenBy(state))).as("whoever asks").containsExactly(2, 3);
    }

    @Test
    void whatWasSeenBeforeTheTableWasReadAgainIsOver() {
        begin(edition(1));
        look(edition(1, 2));
        assertThat(since(watch.seenBy(begin(edition(1))))).isEmpty();
    }

    @Test
    void whatIsNotExpectedIsToldOnceAndTheWatchGoesOn() {
        ReplicationState state = begin(edition(1));
        for (int i = 0; i < 2; i++) {
            catalog.add(() -> {
                throw new IllegalStateException("not expected");
            });
            watch.look();
        }
        assertThat(log.linesWith("WARNING catalog not seen", "IllegalStateException"))
                .hasSize(1);
        look(edition(1, 2));
        assertThat(since(watch.seenBy(state))).containsExactly(2);
    }
}
