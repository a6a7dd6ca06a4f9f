package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tidemark.standin.FaultProxy;
import tidemark.standin.FelderaStandin;
import tidemark.standin.HttpFault;
import tidemark.standin.PipelineClient;
import tidemark.standin.RequestPattern;
import tidemark.standin.StandinSettings;

/** What the client makes of a POST that the network has spoilt, and whether its rows are there. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FaultyNetworkTest {
    private static final QueryRows.Limits LIMITS = new QueryRows.Limits(16 << 20, Duration.ofSeconds(9));
    private static final FelderaName USERS = new FelderaName("users", false);

    private FelderaStandin standin;
    private FaultProxy proxy;
    private FelderaClient client;

    @BeforeEach
    void connect() {
        standin = FelderaStandin.start(StandinSettings.defaults());
        standin.deploy("p", "CREATE TABLE users (id BIGINT NOT NULL PRIMARY KEY) WITH ('materialized' = 'true');");
        proxy = FaultProxy.before(URI.create(standin.url()));
        client = new FelderaClient(ScriptedServer.settings(URI.create(proxy.url())));
    }

    @AfterEach
    void close() {
        client.close();
        proxy.close();
        standin.close();
    }

    private IngressReply post(int id) {
        byte[] bytes = "[{\"insert\":{\"id\":%d}}]".formatted(id).getBytes(StandardCharsets.UTF_8);
        return client.post(new TableBody(USERS, bytes, bytes.length));
    }

    /** How many rows the POST of this fault left behind, once a later POST is complete. */
    private int rowsAfter(HttpFault fault, Class<? extends IngressReply> expected) {
        proxy.injectOnce(RequestPattern.ingress("users"), fault);
        assertThat(post(1)).as(fault.toString()).isInstanceOf(expected);
        assertThat(post(2))
                .isInstanceOfSatisfying(
                        IngressReply.Accepted.class,
                        accepted -> PipelineClient.await(
                                () -> client.completion(accepted.token()).equals(new Completion.Complete())));
        try (QueryRows rows = client.query("SELECT * FROM users", LIMITS)) {
            int count = 0;
            while (rows.next().isPresent()) count++;
            return count - 1;
        }
    }

    @Test
    void theEffectOfAPostWhoseReplyIsLostIsUnknownAndItsRowsAreThere() {
        assertThat(rowsAfter(new HttpFault.LostReply(), IngressReply.Unknown.class))
                .isEqualTo(1);
    }

    @Test
    void theEffectOfAPostWhoseTokenBreaksOffIsUnknownAndItsRowsAreThere() {
        assertThat(rowsAfter(new HttpFault.ResetInReply(5), IngressReply.Unknown.class))
                .isEqualTo(1);
    }

    @Test
    void theEffectOfAPostThatBreaksOffIsUnknownAndItsRowsAreNot() {
        assertThat(rowsAfter(new HttpFault.ResetInRequest(5), IngressReply.Unknown.class))
                .isZero();
    }

    /** A keyed table looks as if nothing had happened; the count does not. */
    @Test
    void aPostThatArrivesTwiceShowsInTheCountOfItsToken() {
        proxy.injectOnce(RequestPattern.ingress("users"), new HttpFault.DuplicateDelivery());
        assertThat(post(1))
                .isInstanceOfSatisfying(
                        IngressReply.Accepted.class,
                        accepted -> assertThat(
                                        accepted.token().mark().orElseThrow().count())
                                .isEqualTo(2));
    }

    @Test
    void aServerThatRefusesConnectionsHasNotSeenThePost() {
        proxy.refuse();
        assertThat(post(1)).isInstanceOf(IngressReply.NotNow.class);
        proxy.resume();
        assertThat(post(1)).isInstanceOf(IngressReply.Accepted.class);
    }
}
