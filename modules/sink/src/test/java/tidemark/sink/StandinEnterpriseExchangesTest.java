package tidemark.sink;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import tidemark.standin.Edition;
import tidemark.standin.FelderaStandin;
import tidemark.standin.RecordedProgram;
import tidemark.standin.StandinSettings;

/** The stand-in as the enterprise edition does what was recorded. */
class StandinEnterpriseExchangesTest extends ExchangesContract {
    /** Long enough for the largest body on a busy machine, short enough to be outlasted. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static FelderaStandin standin;

    @BeforeAll
    static void startFeldera() {
        standin = FelderaStandin.start(
                StandinSettings.defaults().withApiServerLimit(LIMIT).withEdition(Edition.ENTERPRISE));
        standin.deploy("p", RecordedProgram.SQL);
    }

    @AfterAll
    static void stopFeldera() {
        standin.close();
    }

    @Override
    public FelderaSettings settings() {
        return Deployment.settings(URI.create(standin.url()), "p", Optional.empty());
    }

    @Override
    public Duration apiServerLimit() {
        return LIMIT;
    }

    @Override
    public String edition() {
        return "Enterprise";
    }
}
