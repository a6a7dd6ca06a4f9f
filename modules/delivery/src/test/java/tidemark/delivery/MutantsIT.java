package tidemark.delivery;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The defects that take hundreds or thousands of seeds to show. */
class MutantsIT {
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
        List<Mutant> few = MutantsTest.mutants();
        return Mutants.ALL.stream().filter(mutant -> !few.contains(mutant)).toList();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aBrokenCoreIsFoundInTheEnd(Mutant mutant) {
        MutantsTest.assertFound(mutant);
    }
}
