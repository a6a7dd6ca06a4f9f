package tidemark.delivery;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Those that show within some dozens of seeds. */
@Tag("slow")
class MutantsIT extends MutantHunt {
    static List<Mutant> mutants() {
        return thatTake(FEW, MANY);
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aBrokenCoreIsFound(Mutant mutant) {
        assertFound(mutant);
    }
}
