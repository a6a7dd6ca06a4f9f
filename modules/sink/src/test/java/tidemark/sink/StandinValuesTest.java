package tidemark.sink;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinPipeline;
import tidemark.standin.StandinSettings;

/** The stand-in takes, refuses and shows every value as recorded. */
class StandinValuesTest extends ValuesContract {
    private final FelderaStandin standin = FelderaStandin.start(StandinSettings.defaults());

    StandinValuesTest() {
        StandinPipeline _ = standin.deploy("p", program());
    }

    @AfterAll
    void stopFeldera() {
        standin.close();
    }

    @Override
    FelderaSettings settings() {
        return Deployment.settings(URI.create(standin.url()), "p", Optional.empty());
    }
}
