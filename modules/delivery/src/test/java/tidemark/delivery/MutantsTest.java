package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation can fail: cores broken on purpose are found. Those that take many seeds are in {@link MutantsIT}. */
class MutantsTest {
    private static final int FEW = 100;
    private static final Logger LOG = Logger.getLogger("tidemark");

    @BeforeAll
    static void nobodyReadsTheLogOfAThousandSessions() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void logAgain() {
        LOG.setLevel(null);
    }

    static List<Mutant> mutants() {
        return Mutants.ALL.stream().filter(mutant -> mutant.within() <= FEW).toList();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aBrokenCoreIsFound(Mutant mutant) {
        assertFound(mutant);
    }

    /** Those that take many seeds are not run here, but what they edit has to be there. */
    @Test
    void everyMutantFindsItsText() {
        for (Mutant mutant : Mutants.ALL)
            assertThat(mutant.edited()).as(mutant.name()).isNotEmpty();
    }

    static void assertFound(Mutant mutant) {
        OptionalLong found = mutant.caughtAfter(mutant.within());
        assertThat(found)
                .as("\"%s\" within %d seeds", mutant.name(), mutant.within())
                .isPresent();
        System.out.printf("mutant %-50s found after %d seeds%n", mutant.name(), found.getAsLong());
    }
}
