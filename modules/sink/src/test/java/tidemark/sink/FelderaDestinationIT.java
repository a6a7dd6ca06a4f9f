package tidemark.sink;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * The contract against a real Feldera: its API server at FELDERA_URL, with the key FELDERA_API_KEY if there is one.
 * Creates or replaces the pipeline {@value #PIPELINE} and leaves it stopped.
 */
@EnabledIfEnvironmentVariable(
        named = "FELDERA_URL",
        matches = "https?://.+",
        disabledReason = "FELDERA_URL does not name the API server of a real Feldera")
class FelderaDestinationIT extends DestinationContract {
    private static final String PIPELINE = "tidemark_contract";

    @BeforeAll
    static void compile() {
        try (FelderaClient client = new FelderaClient(real())) {
            new Deployment(real(), client).define(PROGRAM);
        }
    }

    @AfterAll
    static void stop() {
        try (FelderaClient client = new FelderaClient(real())) {
            new Deployment(real(), client).stop();
        }
    }

    private static FelderaSettings real() {
        return Deployment.settings(
                URI.create(System.getenv("FELDERA_URL")),
                PIPELINE,
                Optional.ofNullable(System.getenv("FELDERA_API_KEY")));
    }

    @Override
    FelderaSettings settings() {
        return real();
    }
}
