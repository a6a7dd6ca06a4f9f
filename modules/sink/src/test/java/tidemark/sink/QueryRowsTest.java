package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryRowsTest {
    private static final QueryRows.Limits LIMITS = new QueryRows.Limits(16 << 20, Duration.ofSeconds(9));
    private static final String OK = "HTTP/1.1 200 OK\ncontent-type: application/json\n";

    /** Reads to the end into {@code rows}, so that what came before a failure can be looked at. */
    private static void read(Consumer<ScriptedServer> script, List<String> rows) {
        try (ScriptedServer server = new ScriptedServer();
                FelderaClient client = new FelderaClient(server.settings())) {
            script.accept(server);
            try (QueryRows result = client.query("select", LIMITS)) {
                for (Optional<byte[]> row = result.next(); row.isPresent(); row = result.next()) {
                    rows.add(new String(row.orElseThrow(), StandardCharsets.UTF_8));
                }
            }
        }
    }

    private static List<String> read(Consumer<ScriptedServer> script) {
        List<String> rows = new ArrayList<>();
        read(script, rows);
        return rows;
    }

    private static void assertFails(ThrowingCallable read, SinkFailure.Kind kind) {
        assertThatThrownBy(read)
                .isInstanceOfSatisfying(
                        SinkFailure.class, failure -> assertThat(failure.kind()).isEqualTo(kind));
    }

    @Test
    void givesEveryRowAsItWasWrittenWhereverTheChunksAreCut() {
        String rows =
                "{\"id\":1,\"name\":\"a{\\\"b}\"}\n{\"id\":2,\"name\":null}\n{\"id\":3,\"tags\":[{\"x\":[]}],\"é\":\"\\\\\"}\n";
        for (int cut = 1; cut < rows.length() - 1; cut += 3) {
            int at = cut;
            assertThat(read(server -> server.thenChunked(OK, rows.substring(0, at), rows.substring(at))))
                    .containsExactlyElementsOf(rows.lines().toList());
        }
    }

    @Test
    void anEmptyResultHasNoRows() {
        assertThat(read(server -> server.thenChunked(OK))).isEmpty();
        assertThat(read(server -> server.thenOk(""))).isEmpty();
    }

    @Test
    void aRowMayBeLargerThanTheBuffer() {
        String wide = "{\"t\":\"" + "x".repeat(300_000) + "\"}";
        assertThat(read(server -> server.thenChunked(OK, wide + "\n{\"t\":1}\n" + wide)))
                .containsExactly(wide, "{\"t\":1}", wide);
    }

    /** Recorded: feldera/06-query and 21: the last fragment, with HTTP 200, without error_code. */
    @ParameterizedTest
    @ValueSource(strings = {"", "{\"id\":1}\n", "{\"id\":1}"})
    void anErrorAfterAnyNumberOfRowsIsAFailureAndToldWithoutValues(String before) {
        List<String> rows = new ArrayList<>();
        String error = "{\"error\":\"Arrow error: Cast error: Cannot cast string 'q0' to value of Int32 type\"}";
        assertThatThrownBy(() -> read(server -> server.thenChunked(OK, before + error), rows))
                .isInstanceOfSatisfying(SinkFailure.class, failure -> {
                    assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.PERMANENT);
                    assertThat(failure.problem().prefix()).isEqualTo("Arrow error: Cast error: Cannot cast string");
                });
        assertThat(rows).hasSize(before.isEmpty() ? 0 : 1);
    }

    @Test
    void aColumnNamedErrorBesideOthersOrWithoutTextIsARow() {
        String rows = "{\"error\":\"x\",\"id\":1}\n{\"error\":null}\n{\"error\":5}\n{\"error\":{\"error\":\"x\"}}\n";
        assertThat(read(server -> server.thenChunked(OK, rows)))
                .containsExactlyElementsOf(rows.lines().toList());
    }

    @Test
    void aStreamThatEndsBeforeItsBodyDoesIsNeverAWholeResult() {
        String broken = ScriptedServer.chunked(OK, "{\"id\":1}\n{\"id\":2}\n");
        List<String> rows = new ArrayList<>();
        assertFails(
                () -> read(server -> server.then(ScriptedServer.bytesThenClose(broken)), rows),
                SinkFailure.Kind.TRANSIENT);
        assertThat(rows).containsExactly("{\"id\":1}", "{\"id\":2}");

        assertFails(
                () -> read(server -> server.then(ScriptedServer.bytesThenReset(broken))), SinkFailure.Kind.TRANSIENT);
        assertFails(() -> read(server -> server.thenChunked(OK, "{\"id\":1}\n{\"id\":")), SinkFailure.Kind.PROTOCOL);
    }

    @Test
    void anAnswerMayBeOneArrayAndIsWholeOnlyWithItsEnd() {
        String array = " [{\"id\":1},\n {\"id\":2}]\n";
        for (int cut = 1; cut < array.length() - 1; cut++) {
            int at = cut;
            assertThat(read(server -> server.thenChunked(OK, array.substring(0, at), array.substring(at))))
                    .containsExactly("{\"id\":1}", "{\"id\":2}");
        }
        assertThat(read(server -> server.thenOk("[]"))).isEmpty();
        for (String broken :
                List.of("[", "[{\"id\":1}", "[{\"id\":1},", "[{\"id\":1}]]", "[{\"id\":1}]{\"id\":2}", "[[]]")) {
            assertFails(() -> read(server -> server.thenOk(broken)), SinkFailure.Kind.PROTOCOL);
        }
        for (String line : List.of("{\"id\":1},{\"id\":2}", "{\"id\":1}]", "{\"id\":1}[{\"id\":2}]", ",")) {
            assertFails(() -> read(server -> server.thenOk(line)), SinkFailure.Kind.PROTOCOL);
        }
        for (String failed :
                List.of("[{\"id\":1},{\"error\":\"x\"}]", "[{\"id\":1}{\"error\":\"x\"}", "[]{\"error\":\"x\"}")) {
            assertFails(() -> read(server -> server.thenOk(failed)), SinkFailure.Kind.PERMANENT);
        }
    }

    @Test
    void aRowBeyondTheLimitIsRefusedBeforeItIsWholeInMemory() {
        String wide = "{\"t\":\"" + "x".repeat(300_000);
        try (ScriptedServer server = new ScriptedServer();
                FelderaClient client = new FelderaClient(server.settings())) {
            server.thenChunked(OK, "{\"t\":1}", wide);
            try (QueryRows rows = client.query("select", new QueryRows.Limits(200_000, Duration.ofSeconds(9)))) {
                assertThat(rows.next()).isPresent();
                assertThatThrownBy(rows::next)
                        .isInstanceOf(SinkFailure.class)
                        .hasMessageContaining("a row of more than 200000 bytes");
            }
        }
    }

    @Test
    void whatIsNotARowIsNotSkipped() {
        assertFails(() -> read(server -> server.thenOk("<html>a proxy</html>")), SinkFailure.Kind.PROTOCOL);
    }

    @Test
    void sqlThatCannotBePlannedFailsAtOnce() {
        String refusal =
                "{\"message\":\"Error during planning: table 'nosuch' not found.\",\"error_code\":\"AdHocQueryError\",\"details\":{}}";
        assertFails(
                () -> read(server -> server.thenReply("HTTP/1.1 400 Bad Request\n", refusal)),
                SinkFailure.Kind.PERMANENT);
    }

    @Test
    void anInterruptEndsAReadThatWaitsForARow() throws Exception {
        try (ScriptedServer server = new ScriptedServer();
                FelderaClient client = new FelderaClient(server.settings())) {
            server.then(socket -> {
                ScriptedServer.bytes(ScriptedServer.chunked(OK, "{\"id\":1}\n")).to(socket);
                server.silence().to(socket);
            });
            try (QueryRows rows = client.query("select", LIMITS)) {
                assertThat(rows.next()).isPresent();
                Thread.currentThread().interrupt();
                assertFails(rows::next, SinkFailure.Kind.TRANSIENT);
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }
}
