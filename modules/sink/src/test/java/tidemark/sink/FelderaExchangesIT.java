package tidemark.sink;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import tidemark.standin.RecordedProgram;

/** The recorded exchanges against the real Feldera at FELDERA_URL; leaves its pipeline stopped. */
@EnabledIfEnvironmentVariable(
        named = "FELDERA_URL",
        matches = "https?://.+",
        disabledReason = "FELDERA_URL does not name the API server of a real Feldera")
class FelderaExchangesIT extends ExchangesContract {
    private static final String PIPELINE = "tidemark_exchanges";

    @BeforeAll
    static void compile() {
        RealFeldera.compile(PIPELINE, RecordedProgram.SQL);
    }

    @AfterAll
    static void stop() {
        RealFeldera.stop(PIPELINE);
    }

    @Override
    public FelderaSettings settings() {
        return RealFeldera.settings(PIPELINE);
    }

    @Override
    public Duration apiServerLimit() {
        return Duration.ofSeconds(30);
    }

    @Override
    public String edition() {
        return RealFeldera.edition();
    }
}
