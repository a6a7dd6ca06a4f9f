package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.delivery.DeliverySettings.OnStateLoss;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.delivery.ReplicationState.Stand;
import tidemark.delivery.StartPlan.How;
import tidemark.replication.SlotStatus;

/** What holds of every combination: stand, slot, history, life, count, leftovers, mode and policy. */
class StartPlanProperties {
    private static final Set<Stand> NOT_WHOLE = Set.of(Stand.PENDING, Stand.MERGING);

    private static final List<List<UnaryOperator<StartScene>>> DIMENSIONS = List.of(
            List.of(
                    scene -> scene.slotAt(StartScene.BEFORE),
                    scene -> scene.slotAt(StartScene.CONFIRMED),
                    scene -> scene.slotAt(StartScene.AHEAD),
                    scene -> scene.slot(StartScene.MISSING),
                    scene -> scene.slot(StartScene.HALF_MADE),
                    scene -> scene.slot(StartScene.LOST),
                    scene -> scene.slot(StartScene.FOREIGN)),
            List.of(
                    scene -> scene,
                    scene -> scene.origin("7", 2, "shop", "tidemark"),
                    scene -> scene.origin("8", 1, "shop", "tidemark"),
                    scene -> scene.walEnd(Lsn.parse("0/90"))),
            List.of(scene -> scene, StartScene::emptied, StartScene::fromCheckpoint),
            List.of(scene -> scene.counts(0), scene -> scene.counts(9), scene -> scene.countsWhatIsNotOurs()),
            each(Leftovers.values(), (scene, left) -> scene.leaves(left)),
            each(SnapshotMode.values(), (scene, mode) -> scene.mode(mode)));

    private static final int COMBINATIONS = 7 * 7 * 4 * 3 * 3 * 3 * 3 * 2;

    private interface Setting<T> {
        StartScene in(StartScene scene, T value);
    }

    private static <T> List<UnaryOperator<StartScene>> each(T[] values, Setting<T> set) {
        return Stream.of(values)
                .<UnaryOperator<StartScene>>map(value -> scene -> set.in(scene, value))
                .toList();
    }

    private record Decided(StartScene scene, StartPlan.Found found, StartPlan plan) {
        List<How> hows() {
            List<StartPlan.Begin> tables = switch (plan) {
                case StartPlan.Refuse _, StartPlan.Doubt _ -> List.of();
                case StartPlan.CreateSlot(var _, var begins) -> begins;
                case StartPlan.UseSlot(var _, var begins) -> begins;
            };
            return tables.stream().map(StartPlan.Begin::how).toList();
        }

        boolean begins(Class<? extends How> how) {
            return hows().stream().anyMatch(how::isInstance);
        }

        Optional<String> remedy() {
            return switch (plan) {
                case StartPlan.Refuse(var _, String remedy) -> Optional.of(remedy);
                case StartPlan.Doubt(var _, var _, String remedy) -> Optional.of(remedy);
                case StartPlan.CreateSlot _, StartPlan.UseSlot _ -> Optional.empty();
            };
        }

        boolean isOfOtherEnds() {
            return found.state()
                    .filter(state -> !state.origin().systemIdentifier().equals("7")
                            || (found.sameTimeline() && state.confirmed().isAfter(found.walEnd())))
                    .isPresent();
        }

        boolean slotIsForeign() {
            return found.slot() instanceof SlotStatus.Foreign;
        }

        boolean slotIsAhead() {
            return found.slot() instanceof SlotStatus.Usable usable
                    && found.state()
                            .filter(state -> usable.confirmedFlush().isAfter(state.confirmed()))
                            .isPresent();
        }

        Optional<Stand> stand() {
            return found.state().map(state -> state.tables().getFirst().stand());
        }

        @Override
        public String toString() {
            return scene + " mends=" + found.mends() + " -> " + StartRow.inBrief(plan);
        }
    }

    private static Stream<Decided> all() {
        List<UnaryOperator<StartScene>> product = DIMENSIONS.stream()
                .reduce((left, right) -> left.stream()
                        .flatMap(a ->
                                right.stream().<UnaryOperator<StartScene>>map(b -> scene -> b.apply(a.apply(scene))))
                        .toList())
                .orElseThrow();
        return Stream.concat(
                        Stream.of(Optional.<Stand>empty()),
                        Stream.of(Stand.values()).map(Optional::of))
                .flatMap(stand -> product.stream()
                        .flatMap(each -> Stream.of(OnStateLoss.values())
                                .map(policy -> decided(each.apply(StartScene.of(stand)), policy))));
    }

    private static Decided decided(StartScene scene, OnStateLoss policy) {
        StartPlan.Found found = scene.found(policy);
        return new Decided(scene, found, StartPlan.decide(found));
    }

    private static void wherever(Predicate<Decided> given, Consumer<Decided> holds) {
        assertThat(all().filter(given)).isNotEmpty().allSatisfy(holds);
    }

    @Test
    void everyCombinationIsDecided() {
        assertThat(all()).hasSize(COMBINATIONS);
    }

    @Test
    void whatCanBeMendedIsNotRefused() {
        wherever(
                on -> on.found().mends(),
                on -> assertThat(on.remedy().isPresent()).isEqualTo(on.isOfOtherEnds() || on.slotIsForeign()));
    }

    @Test
    void aRemedyIsNotASettingThatIsSetAlready() {
        wherever(
                on -> on.found().mends(),
                on -> assertThat(on.remedy().orElse("")).doesNotContain(Remedy.MEND));
    }

    @Test
    void aForeignSlotIsNamedWhateverElseIsLost() {
        wherever(
                on -> on.slotIsForeign() && !on.isOfOtherEnds(),
                on -> assertThat(on.plan())
                        .isInstanceOfSatisfying(
                                StartPlan.Refuse.class,
                                refused -> assertThat(refused.what()).contains("is not ours")));
    }

    @Test
    void otherEndsAreRefusedWhateverElseWasFound() {
        wherever(Decided::isOfOtherEnds, on -> assertThat(on.plan()).isInstanceOf(StartPlan.Refuse.class));
    }

    @Test
    void nothingIsReadUnderASlotThatIsMadeWithoutASnapshot() {
        wherever(
                on -> on.plan() instanceof StartPlan.CreateSlot(var mode, var _) && mode == SnapshotMode.NEVER,
                on -> assertThat(on.hows()).noneMatch(How::copies));
    }

    @Test
    void whereTablesAreNeverReadOnlyAMergeThatBrokeIs() {
        wherever(on -> on.found().mode() == SnapshotMode.NEVER, on -> {
            assertThat(on.hows()).noneMatch(How::isReadWhole);
            if (on.begins(How.Merge.class)) assertThat(on.stand()).contains(Stand.MERGING);
        });
    }

    /** Its WAL is what takes the rows of the first copy out again. */
    @Test
    void leftoversAreCopiedOverOnlyWhereTheSlotIsWhereItWas() {
        wherever(on -> on.begins(How.CopyAgain.class), on -> {
            assertThat(on.plan()).isInstanceOf(StartPlan.UseSlot.class);
            assertThat(on.slotIsAhead()).isFalse();
            assertThat(on.found().tables().getFirst().leftovers()).isEqualTo(Leftovers.REPLAYED);
        });
    }

    @Test
    void whatWasCountedIsNeverCopiedOverAsIfNothingWere() {
        wherever(
                on -> on.begins(How.Copy.class),
                on -> assertThat(on.found().tables().getFirst().count()).isZero());
    }

    @Test
    void onlyWhatIsKnownToBeWholeStreamsOn() {
        wherever(on -> on.begins(How.Continue.class), on -> {
            assertThat(on.plan()).isInstanceOf(StartPlan.UseSlot.class);
            assertThat(on.found().sameLife() && on.found().sameTimeline()).isTrue();
            assertThat(on.found().tables().getFirst().accounted()).isTrue();
            assertThat(on.slotIsAhead()).isFalse();
            assertThat(on.stand())
                    .hasValueSatisfying(stand -> assertThat(stand)
                            .isIn(
                                    on.found().mode() == SnapshotMode.NEVER
                                            ? Set.of(Stand.COPIED, Stand.LEFT_OUT, Stand.UNKNOWN)
                                            : Set.of(Stand.COPIED, Stand.LEFT_OUT)));
        });
    }

    @Test
    void nothingIsStreamedThatWasConfirmedAndNothingFromBeforeTheSlot() {
        wherever(on -> on.plan() instanceof StartPlan.UseSlot, on -> {
            Lsn resumeAt = ((StartPlan.UseSlot) on.plan()).resumeAt();
            assertThat(resumeAt)
                    .isGreaterThanOrEqualTo(((SlotStatus.Usable) on.found().slot()).confirmedFlush());
            if (on.found().sameTimeline()) {
                on.found().state().ifPresent(state -> assertThat(resumeAt).isGreaterThanOrEqualTo(state.confirmed()));
            }
        });
    }

    @Test
    void aSlotIsMadeOnlyWhereNoneCanBeUsed() {
        wherever(
                on -> on.plan() instanceof StartPlan.CreateSlot,
                on -> assertThat(on.found().slot())
                        .isNotInstanceOfAny(SlotStatus.Usable.class, SlotStatus.Foreign.class));
    }

    @Test
    void aLossIsNeverMadeGoodByACopyThatLoses() {
        wherever(
                on -> on.plan() instanceof StartPlan.CreateSlot(var mode, var _) && mode == SnapshotMode.INCONSISTENT,
                on -> {
                    assertThat(on.found().slot()).isNotInstanceOf(SlotStatus.Lost.class);
                    if (on.found().sameLife()) assertThat(on.stand()).contains(Stand.PENDING);
                });
    }

    /** Where a person is asked for. */
    @Test
    void whatWasWholeIsNotReadAgain() {
        wherever(
                on -> !on.found().mends()
                        && on.found().mode() != SnapshotMode.NEVER
                        && on.stand().isPresent(),
                on -> {
                    Stand stand = on.stand().orElseThrow();
                    if (on.begins(How.Merge.class)) assertThat(stand).isIn(NOT_WHOLE);
                    if (on.begins(How.Copy.class)) assertThat(stand).isIn(Stand.PENDING, Stand.MERGING, Stand.UNKNOWN);
                });
    }

    @Test
    void aDoubtIsDurable() {
        wherever(on -> on.plan() instanceof StartPlan.Doubt, on -> {
            ReplicationState durable = ((StartPlan.Doubt) on.plan()).durable();
            assertThat(durable.tables())
                    .extracting(ReplicationState.Table::stand)
                    .containsExactly(Stand.DOUBTED);
            assertThat(on.found().sameLife()).isTrue();
        });
    }
}
