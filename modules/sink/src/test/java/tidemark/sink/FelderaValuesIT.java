package tidemark.sink;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Every recorded value against the real Feldera at FELDERA_URL; leaves its pipeline stopped. */
@EnabledIfEnvironmentVariable(
        named = "FELDERA_URL",
        matches = "https?://.+",
        disabledReason = "FELDERA_URL does not name the API server of a real Feldera")
class FelderaValuesIT extends ValuesContract {
    private static final String PIPELINE = "tidemark_values";

    FelderaValuesIT() {
        RealFeldera.compile(PIPELINE, program());
    }

    @AfterAll
    void stop() {
        RealFeldera.stop(PIPELINE);
    }

    @Override
    FelderaSettings settings() {
        return RealFeldera.settings(PIPELINE);
    }
}
