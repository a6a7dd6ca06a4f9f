package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Those that are found at once. Those that take more seeds are in {@link MutantsIT} and {@link RareMutantsIT}. */
class MutantsTest extends MutantHunt {
    static List<Mutant> mutants() {
        return thatTake(0, FEW);
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aBrokenCoreIsFound(Mutant mutant) {
        assertFound(mutant);
    }

    /** Those that take more seeds are not run here, but what they edit has to be there. */
    @Test
    void everyMutantFindsItsText() {
        for (Mutant mutant : Mutants.ALL)
            assertThat(mutant.edited()).as(mutant.name()).isNotEmpty();
    }
}
