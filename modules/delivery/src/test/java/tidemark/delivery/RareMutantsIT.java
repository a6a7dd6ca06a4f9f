package tidemark.delivery;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Those that take hundreds or thousands of seeds to show. */
@Tag("long")
class RareMutantsIT extends MutantHunt {
    static List<Mutant> mutants() {
        return thatTake(MANY, Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aBrokenCoreIsFound(Mutant mutant) {
        assertFound(mutant);
    }
}
