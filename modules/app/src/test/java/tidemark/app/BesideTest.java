package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidemark.decode.RelationName;
import tidemark.delivery.ExitCode;

/** What the commands make of the answers of a service, which are the test's. */
class BesideTest {
    private static final String ASKED = "{\"table\":\"public.users\",\"state\":\"accepted\"}";

    private record Answer(int status, String body) {}

    private final Map<String, ArrayDeque<Answer>> answers = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final List<String> report = new ArrayList<>();
    private final CommandStop stop = new CommandStop();
    private HttpServer server;
    private Door door;

    @BeforeEach
    void aService() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        door = door(server.getAddress().getPort());
    }

    private static Door door(int port) {
        return new Door(new DoorSettings(
                new ServerAddress("127.0.0.1", port), Optional.empty(), "tidemark", Duration.ofSeconds(1)));
    }

    @AfterEach
    void close() {
        door.close();
        server.stop(0);
    }

    /** The last one again and again. */
    private synchronized void answer(HttpExchange exchange) throws IOException {
        String what =
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
        asked.add(what);
        ArrayDeque<Answer> left = answers.getOrDefault(what, new ArrayDeque<>(List.of(new Answer(404, "{}"))));
        Answer answer = left.size() > 1 ? left.remove() : left.getFirst();
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private synchronized void answers(String what, int status, String... bodies) {
        for (String body : bodies) {
            answers.computeIfAbsent(what, _ -> new ArrayDeque<>()).add(new Answer(status, body));
        }
    }

    private void resyncIs(String... statuses) {
        answers("POST /tables/users/resync", 202, ASKED);
        answers("GET /status", 200, statuses);
    }

    private static String status(String phase, String resync) {
        return """
                {"phase":"%s","ready":%s,"waitingFor":"the next attempt",
                 "tables":[{"postgres":"public.users","state":"streaming","resync":%s}]}""".formatted(phase, phase.equals("streaming"), resync);
    }

    private static String state(String state) {
        return "{\"state\":\"%s\",\"rows\":7,\"missing\":1,\"different\":2,\"extra\":3,\"why\":\"it broke\"}"
                .formatted(state);
    }

    private ResyncBeside resync() {
        return new ResyncBeside(door, report::add, stop);
    }

    private static void shut(ThrowingCallable command, ExitCode exit, String... parts) {
        assertThatThrownBy(command)
                .isInstanceOfSatisfying(
                        Door.Shut.class, shut -> assertThat(shut.exit()).isEqualTo(exit))
                .hasMessageContainingAll(parts);
    }

    @Test
    void itWaitsUntilTheTableIsWhole() {
        resyncIs(
                status("streaming", state("requested")),
                status("connecting", state("going-back")),
                status("streaming", state("done")));
        assertThat(resync().run("users")).isEqualTo(ExitCode.DRAINED);
        assertThat(report)
                .containsExactly(
                        "public.users: 7 rows read again, 1 missing, 3 extra, 2 different: mended by 6 operations");
    }

    @Test
    void whatFailedIsToldWithItsReason() {
        resyncIs(status("streaming", state("failed")));
        shut(() -> resync().run("users"), ExitCode.TEMPORARY, "public.users", "it broke");
        answers("POST /tables/users/resync", 202, ASKED);
    }

    @Test
    void whatWasInterruptedIsAskedForOnceMore() {
        resyncIs(status("streaming", state("interrupted")));
        shut(() -> resync().run("users"), ExitCode.TEMPORARY, "twice the session ended");
        assertThat(asked).filteredOn("POST /tables/users/resync"::equals).hasSize(2);
    }

    /** It could be for ever. */
    @Test
    void withoutASessionItWaitsOnlySoLongAndSaysForWhat() {
        resyncIs(status("backing-off", state("interrupted")));
        shut(
                () -> resync().run("users"),
                ExitCode.TEMPORARY,
                "no session streamed for PT1S",
                "backing-off for the next attempt");
    }

    @Test
    void aStopEndsTheWait() {
        resyncIs(status("streaming", state("merging")));
        stop.ask();
        shut(() -> resync().run("users"), ExitCode.TEMPORARY, "stopped");
    }

    @Test
    void whatIsCancelledIsSaid() {
        answers("DELETE /tables/users/resync", 202, "{\"table\":\"public.users\",\"state\":\"cancelled\"}");
        assertThat(resync().cancel("users")).isEqualTo(ExitCode.DRAINED);
        assertThat(report).containsExactly("public.users: cancelled");
        answers("DELETE /tables/items/resync", 409, "{\"error\":\"nobody asked\",\"remedy\":\"look\"}");
        shut(() -> resync().cancel("items"), ExitCode.TEMPORARY, "nobody asked");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "{\"table\":7}", "null", "{\"table\":{}}", ""})
    void aStrangersAnswerIsCalledOne(String body) {
        answers("POST /tables/users/resync", 200, body);
        shut(() -> resync().run("users"), ExitCode.PROTOCOL, "is not this service");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"tables\":{}}",
                "{\"tables\":[1]}",
                "{\"tables\":[{}]}",
                "{\"tables\":[{\"postgres\":\"public.users\",\"resync\":{}}]}",
                "{\"tables\":[{\"postgres\":\"public.users\",\"resync\":{\"state\":\"done\"}}]}"
            })
    void aStrangersStatusIsCalledOne(String status) {
        resyncIs(status);
        shut(() -> resync().run("users"), ExitCode.PROTOCOL, "is not this service");
    }

    private static String compared(String table, long missing) {
        return """
                {"table":"%1$s","state":"compared","heldMillis":5,
                 "found":{"lines":["of %1$s"],"missing":%2$d,"extra":0,"different":0}}""".formatted(table, missing);
    }

    private ExitCode verify(String... tables) {
        return new VerifyBeside(door, report::add, stop)
                .run(
                        List.of(tables).stream()
                                .map(table -> new RelationName("public", table))
                                .toList(),
                        false);
    }

    /** What is not compared is said, and the others are compared all the same. */
    @Test
    void oneTableThatIsRefusedLeavesTheOthersToBeCompared() {
        answers("POST /tables/\"public\".\"a\"/verify", 503, "{\"error\":\"not now\",\"remedy\":\"later\"}");
        answers("POST /tables/\"public\".\"b\"/verify", 202, compared("public.b", 0));
        answers("POST /tables/\"public\".\"c\"/verify", 202, "{\"hello\":1}");
        answers("POST /tables/\"public\".\"d\"/verify", 202, compared("public.d", 1));
        assertThat(verify("a", "b")).isEqualTo(ExitCode.TEMPORARY);
        assertThat(report).containsExactly("of public.b");
        assertThat(verify("a", "b", "c", "d")).isEqualTo(ExitCode.DIFFERENT);
        assertThat(report).containsExactly("of public.b", "of public.b", "of public.d");
        assertThat(verify("c", "b")).isEqualTo(ExitCode.PROTOCOL);
    }

    @Test
    void nobodyIsAskedAfterAStop() {
        stop.ask();
        assertThat(verify("a", "b")).isEqualTo(ExitCode.TEMPORARY);
        assertThat(asked).isEmpty();
    }

    @Test
    void whereNobodyAnswersTheCallerSaysWhatThatMeans() {
        server.stop(0);
        shut(() -> verify("a", "b"), ExitCode.UNREACHABLE, "no service answers");
    }
}
