package tidemark.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tidemark.standin.FelderaStandin;
import tidemark.standin.PipelineClient;
import tidemark.standin.StandinPipeline;
import tidemark.standin.StandinSettings;

/** The contract against the stand-in, and faults that only the stand-in has on demand. */
class StandinDestinationTest extends DestinationContract {
    private static final String KEY = "apikey:right";

    private static FelderaStandin feldera;
    private static StandinPipeline pipeline;

    @BeforeAll
    static void startFeldera() {
        feldera = FelderaStandin.start(StandinSettings.defaults().withApiKey(KEY));
        pipeline = feldera.deploy("p", PROGRAM);
    }

    @AfterAll
    static void stopFeldera() {
        feldera.close();
    }

    @Override
    FelderaSettings settings() {
        return Deployment.settings(URI.create(feldera.url()), "p", Optional.of(KEY));
    }

    @Test
    void theWrongKeyIsRefused() {
        FelderaSettings wrong = Deployment.settings(URI.create(feldera.url()), "p", Optional.of("apikey:wrong"));
        try (FelderaClient stranger = new FelderaClient(wrong)) {
            assertThat(stranger.post(TableBody.empty(new FelderaName("users", false))))
                    .isInstanceOfSatisfying(
                            IngressReply.Refused.class,
                            refused -> assertThat(refused.problem().kind()).isEqualTo(SinkFailure.Kind.CREDENTIALS));
            assertThatThrownBy(stranger::tables)
                    .isInstanceOfSatisfying(
                            SinkFailure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.CREDENTIALS));
        }
    }

    /** The API server answers for the pipeline after its limit, and the request goes on (feldera.md §1.6). */
    @Test
    void theApiServersTimeOutLeavesTheOutcomeUnknown() {
        FelderaName users = new FelderaName("users", false);
        var twoSeconds = StandinSettings.defaults().withApiServerLimit(Duration.ofSeconds(2));
        try (FelderaStandin impatient = FelderaStandin.start(twoSeconds);
                FelderaClient client =
                        new FelderaClient(Deployment.settings(URI.create(impatient.url()), "p", Optional.empty()))) {
            StandinPipeline paused = impatient.deploy("p", PROGRAM);
            paused.pause();
            assertThat(client.post(body(users, "[{\"insert\":{\"id\":1}}]")))
                    .isInstanceOfSatisfying(
                            IngressReply.Unknown.class,
                            unknown -> assertThat(unknown.problem().errorCode())
                                    .isEqualTo("PipelineInteractionUnreachable"));
            paused.resume();
            PipelineClient.await(() -> client.stats().operations().containsValue(1L));
        }
    }

    /** Accepted is not complete, and here nothing can make it so before it is looked at. */
    @Test
    void aTokenIsInProgressForAsLongAsItsStepLasts() {
        pipeline.stepDelay(Duration.ofMinutes(10));
        IngressReply reply = client().post(body(new FelderaName("users", false), "[{\"insert\":{\"id\":1}}]"));
        assertThat(reply).isInstanceOfSatisfying(IngressReply.Accepted.class, accepted -> {
            PipelineClient.await(() -> client().completion(accepted.token()).equals(new Completion.InProgress(true)));
            assertThat(client().stats().settled()).isFalse();
            pipeline.stepDelay(Duration.ZERO);
            PipelineClient.await(() -> client().completion(accepted.token()).equals(new Completion.Complete()));
        });
    }

    @Test
    void aTokenIsInProgressUntilTheOutputsHaveIt() {
        pipeline.holdCompletions();
        IngressReply reply = client().post(body(new FelderaName("users", false), "[{\"insert\":{\"id\":1}}]"));
        assertThat(reply).isInstanceOfSatisfying(IngressReply.Accepted.class, accepted -> {
            PipelineClient.await(() -> client().completion(accepted.token()).equals(new Completion.InProgress(true)));
            pipeline.releaseCompletions();
            PipelineClient.await(() -> client().completion(accepted.token()).equals(new Completion.Complete()));
        });
    }
}
