package tidemark.app;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CaseSelectionTest {
    private static final List<Case> ALL = CaseFiles.all();
    private static final Set<String> PENDING = CaseFiles.pending().keySet();

    /** More than fits into a slice. */
    private static final Map<String, Integer> SECONDS = ALL.stream().collect(Collectors.toMap(Case::id, _ -> 11));

    @Test
    void withoutANameAllCasesRun() {
        assertThat(CaseSelection.named(ALL, List.of(), List.of()).cases()).isEqualTo(ALL);
    }

    @Test
    void aNumberMeansAllVariantsAndAnIdMeansOne() {
        assertThat(ids(CaseSelection.named(ALL, List.of("05", "14/frozen"), List.of())))
                .containsExactly("05/default", "05/batch1", "05/batch2", "14/frozen");
    }

    @Test
    void anAreaMeansEveryCaseThatHasIt() {
        assertThat(ids(CaseSelection.named(ALL, List.of("12", "13"), List.of("reconnect"))))
                .containsExactly("12");
    }

    @Test
    void whatNoCaseIsCalledIsRefusedByName() {
        assertThatThrownBy(() -> CaseSelection.named(ALL, List.of("07", "99", "14/thawed"), List.of()))
                .hasMessageContaining("no case is 99, 14/thawed;");
        assertThatThrownBy(() -> CaseSelection.named(ALL, List.of(), List.of("slot", "tpyes")))
                .hasMessageContaining("no area is tpyes;");
        assertThatThrownBy(() -> CaseSelection.named(ALL, List.of("12"), List.of("types")))
                .hasMessageContaining("none of the cases [12] is of [types]");
    }

    @Test
    void aSliceIsDecidedByItsSeed() {
        assertThat(slice(7)).isEqualTo(slice(7)).isNotEqualTo(slice(8));
    }

    @Test
    void aSliceFitsIntoItsTimeAndLeavesNoRoom() {
        for (int seed = 0; seed < 20; seed++) {
            Set<String> chosen = new TreeSet<>(ids(slice(seed)));
            long total = chosen.stream()
                    .mapToLong(id -> requireNonNull(SECONDS.get(id)))
                    .sum();
            assertThat(total).isLessThanOrEqualTo(CaseSelection.SLICE.toSeconds());
            assertThat(ALL)
                    .as("seed %d", seed)
                    .filteredOn(one -> !one.heavy() && !PENDING.contains(one.id()))
                    .allMatch(one -> chosen.contains(one.id()) || total + cost(one) > CaseSelection.SLICE.toSeconds());
        }
    }

    @Test
    void twentySlicesMeetEveryCaseThatIsNeitherHeavyNorPending() {
        Set<String> met = new TreeSet<>();
        for (int seed = 0; seed < 20; seed++) met.addAll(ids(slice(seed)));
        assertThat(ALL)
                .filteredOn(one -> !met.contains(one.id()))
                .allMatch(one -> one.heavy() || PENDING.contains(one.id()));
    }

    private static int cost(Case one) {
        return requireNonNull(SECONDS.get(one.id()));
    }

    private static CaseSelection slice(long seed) {
        return CaseSelection.slice(ALL, PENDING, SECONDS, seed);
    }

    private static List<String> ids(CaseSelection selection) {
        return selection.cases().stream().map(Case::id).toList();
    }
}
