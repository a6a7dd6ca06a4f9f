package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tidemark.sink.Completion;
import tidemark.sink.CompletionToken;
import tidemark.sink.Destination;
import tidemark.sink.FelderaName;
import tidemark.sink.IngressReply;
import tidemark.sink.SinkFailure;
import tidemark.sink.TableBody;

/** The facts about a pipeline on which the core rests, of the scripted one and of the stand-in (feldera.md). */
abstract class PipelineContract {
    static final FelderaName TABLE = new FelderaName("t0", false);

    abstract Destination destination();

    /** A POST of rows, until it is answered or given up. */
    abstract IngressReply post(TableBody body);

    /** Lets a moment pass. */
    abstract void moment();

    abstract void pause();

    abstract void resume();

    abstract void restartEmpty();

    abstract Map<Long, String> rows();

    private static TableBody body(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return new TableBody(TABLE, bytes, bytes.length);
    }

    private CompletionToken accepted(String json) {
        IngressReply reply = post(body(json));
        assertThat(reply).isInstanceOf(IngressReply.Accepted.class);
        return ((IngressReply.Accepted) reply).token();
    }

    private void awaitComplete(CompletionToken token) {
        while (!(destination().completion(token) instanceof Completion.Complete)) moment();
    }

    private static String insert(long id, String v) {
        return "{\"insert\":{\"id\":%d,\"v\":\"%s\",\"big\":\"large\",\"extra\":null}}".formatted(id, v);
    }

    private static CompletionToken.Mark mark(CompletionToken token) {
        return token.mark().orElseThrow();
    }

    @Test
    void tokensCountOperationsAndStatsTellTheSame() {
        assertThat(mark(accepted("[]")).count()).isZero();
        CompletionToken token = accepted("[%s,%s,{\"delete\":{\"id\":9}}]".formatted(insert(1, "a"), insert(2, "b")));
        assertThat(mark(token).count()).isEqualTo(3);
        awaitComplete(token);
        assertThat(rows()).isEqualTo(Map.of(1L, "a", 2L, "b"));
        assertThat(destination().stats().operations().values()).containsExactly(3L);
        assertThat(destination().stats().incarnation()).isEqualTo(mark(token).incarnation());
        while (!destination().stats().settled()) moment();
        assertThat(mark(accepted("[]")).count()).isEqualTo(3);
    }

    @Test
    void theLastInsertOfAKeyStays() {
        accepted("[%s,%s]".formatted(insert(1, "a"), insert(2, "b")));
        awaitComplete(accepted("[%s,{\"delete\":{\"id\":2}},%s]".formatted(insert(1, "c"), insert(1, "d"))));
        assertThat(rows()).isEqualTo(Map.of(1L, "d"));
    }

    /** The reason why a row must be known to be there. */
    @Test
    void anUpdateKeepsWhatItLeavesOutAndDoesNothingToAMissingKeyButCount() {
        accepted("[%s,{\"update\":{\"id\":1,\"v\":\"b\",\"extra\":null}}]".formatted(insert(1, "a")));
        CompletionToken token = accepted("[{\"update\":{\"id\":2,\"v\":\"c\",\"extra\":null}}]");
        awaitComplete(token);
        assertThat(rows()).isEqualTo(Map.of(1L, "b"));
        assertThat(mark(token).count()).isEqualTo(3);
    }

    @Test
    void aRestartIsANewLifeThatVoidsTokensAndCountsFromZero() {
        CompletionToken old = accepted("[%s]".formatted(insert(1, "a")));
        awaitComplete(old);
        restartEmpty();
        assertThat(destination().completion(old)).isEqualTo(new Completion.Voided());
        assertThat(destination().stats().fresh()).isTrue();
        assertThat(destination().stats().incarnation()).isNotEqualTo(mark(old).incarnation());
        assertThat(mark(accepted("[]")).count()).isZero();
        assertThat(rows()).isEmpty();
    }

    /** The reason for the ghost wait. */
    @Test
    void aPostThatAPauseHeldUpTakesEffectLongAfterItWasGivenUp() {
        awaitComplete(accepted("[]"));
        pause();
        assertThat(destination().stats().isRunning()).isFalse();
        assertThat(post(body("[%s]".formatted(insert(1, "ghost"))))).isInstanceOf(IngressReply.Unknown.class);
        assertThat(rows()).isEmpty();
        resume();
        while (rows().isEmpty()) moment();
        assertThat(rows()).isEqualTo(Map.of(1L, "ghost"));
    }

    /** Asked while it may be starting: a failure is no answer. */
    final boolean isRunning() {
        try {
            return Optional.of(destination().stats())
                    .filter(stats -> stats.isRunning())
                    .isPresent();
        } catch (SinkFailure notYet) {
            return false;
        }
    }
}
