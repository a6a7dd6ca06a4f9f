package tidemark.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a module must not know, it does not reach, by whatever chain of {@code requires}. */
class ReachabilityTest {
    private static final ModuleGraph GRAPH = new ModuleGraph();

    @Test
    void decodeReachesNothingButJavaBase() {
        assertThat(GRAPH.reachableFrom("tidemark.decode").keySet())
                .containsExactlyInAnyOrder("tidemark.decode", "java.base");
    }

    /** The right column is a regular expression over module names. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "tidemark.sink        > tidemark\\.(decode|replication|delivery|app|standin|demo|bench)",
                "tidemark.sink        > java\\.sql.*|org\\.postgresql.*",
                "tidemark.replication > tidemark\\.(sink|delivery|app|standin|demo|bench)",
                "tidemark.replication > io\\.helidon.*|java\\.net\\.http|jdk\\.httpserver|jakarta\\..*",
                "tidemark.delivery    > tidemark\\.(app|standin|demo|bench)",
                "tidemark.app         > tidemark\\.(standin|demo|bench)",
                "tidemark.standin     > tidemark\\.(decode|replication|sink|delivery|app|demo|bench)",
            })
    void aModuleDoesNotReachWhatItMustNotKnow(String module, String forbidden) {
        assertThat(chainsInto(module, forbidden))
                .as("chains from %s into %s", module, forbidden)
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tidemark.decode", "tidemark.replication", "tidemark.sink", "tidemark.delivery"})
    void nothingBelowAppReachesCdiOrConfigurationSources(String module) {
        String forbidden =
                "jakarta\\.(cdi|inject|enterprise|interceptor).*|weld\\..*|(org\\.eclipse\\.)?microprofile\\..*"
                        + "|io\\.helidon\\.(microprofile|config\\.mp).*";
        assertThat(chainsInto(module, forbidden))
                .as("chains from %s into CDI or MicroProfile", module)
                .isEmpty();
    }

    /** Reaching is not reading: delivery stands above JDBC and HTTP, but cannot name a class of either. */
    @Test
    void deliveryReadsNeitherJdbcNorHttp() {
        assertThat(GRAPH.readBy("tidemark.delivery"))
                .contains("tidemark.decode", "tidemark.replication", "tidemark.sink")
                .noneMatch(read ->
                        Pattern.matches("java\\.sql|java\\.net\\.http|org\\.postgresql.*|io\\.helidon.*", read));
    }

    /** Otherwise the tests above would pass over an empty graph. */
    @Test
    void theGraphIsTheRealOne() {
        assertThat(GRAPH.reachableFrom("tidemark.app").keySet())
                .contains("tidemark.decode", "tidemark.replication", "tidemark.sink", "tidemark.delivery", "java.sql")
                .contains("org.postgresql.jdbc", "io.helidon.webclient", "jakarta.cdi");
        assertThat(List.of("java.net.http", "jakarta.cdi", "org.postgresql.jdbc", "tidemark.standin"))
                .allMatch(GRAPH::has);
    }

    private static List<String> chainsInto(String module, String forbidden) {
        return GRAPH.reachableFrom(module).entrySet().stream()
                .filter(reached -> Pattern.matches(forbidden.strip(), reached.getKey()))
                .map(Map.Entry::getValue)
                .map(chain -> String.join(" -> ", chain))
                .toList();
    }
}
