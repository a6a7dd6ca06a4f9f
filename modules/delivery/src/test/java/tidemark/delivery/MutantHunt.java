package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The simulation can fail: cores broken on purpose are found. Nobody reads the log of thousands of sessions. */
abstract class MutantHunt {
    /** Seeds that the fast lane has time for, a mutant. */
    static final int FEW = 20;
    /** Seeds that a slice has time for. */
    static final int MANY = 100;

    private static final Logger LOG = Logger.getLogger("tidemark");

    @BeforeAll
    static void silence() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void logAgain() {
        LOG.setLevel(null);
    }

    /** Those that take more seeds than {@code more}, and at most {@code most}. */
    static List<Mutant> thatTake(int more, int most) {
        return Mutants.ALL.stream()
                .filter(mutant -> mutant.within() > more && mutant.within() <= most)
                .toList();
    }

    static void assertFound(Mutant mutant) {
        OptionalLong found = mutant.caughtAfter(mutant.within());
        assertThat(found)
                .as("\"%s\" within %d seeds", mutant.name(), mutant.within())
                .isPresent();
        System.out.printf("mutant %-50s found after %d seeds%n", mutant.name(), found.getAsLong());
    }
}
