package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static tidemark.delivery.HaltingSourceTest.begin;
import static tidemark.delivery.HaltingSourceTest.commit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.replication.SourceSession.Received;

/** Reading that stood still goes on with just what was not given out. */
class StreamHaltTest {
    private static final Lsn AT = Lsn.parse("0/200");
    private static final Received.Nothing NOTHING = new Received.Nothing();

    private final ArrayDeque<Received> stream = new ArrayDeque<>();
    private final StreamHalt halt = new StreamHalt();

    private Received poll() {
        return halt.poll(() -> stream.isEmpty() ? NOTHING : stream.removeFirst());
    }

    private List<Received> pollAll() {
        List<Received> given = new ArrayList<>();
        for (Received next = poll(); !next.equals(NOTHING); next = poll()) given.add(next);
        return given;
    }

    @Test
    void betweenTransactionsItStandsAtOnce() {
        Received first = begin("0/100");
        stream.add(first);
        halt.atBoundary();
        assertThat(halt.stands()).isTrue();
        assertThat(poll()).isEqualTo(NOTHING);
        halt.release();
        assertThat(pollAll()).containsExactly(first);
    }

    @Test
    void theOpenTransactionIsReadToItsEnd() {
        Received open = begin("0/100");
        Received end = commit("0/100", "0/130");
        Received next = begin("0/130");
        stream.addAll(List.of(open, end, next));
        assertThat(poll()).isEqualTo(open);
        halt.atBoundary();
        assertThat(halt.stands()).isFalse();
        assertThat(pollAll()).containsExactly(end);
        assertThat(halt.stands()).isTrue();
        halt.release();
        assertThat(pollAll()).containsExactly(next);
    }

    @Test
    void whatLiesBeyondThePositionComesWhenItGoesOn() {
        Received within = begin("0/1C0");
        Received end = commit("0/1C0", "0/200");
        Received beyond = begin("0/200");
        Received beyondEnd = commit("0/200", "0/230");
        stream.addAll(List.of(within, end, beyond, beyondEnd));
        halt.atBoundary();
        halt.upTo(AT);
        assertThat(pollAll()).containsExactly(within, end, new Received.Keepalive(AT));
        assertThat(halt.stands()).isTrue();
        halt.release();
        assertThat(pollAll()).containsExactly(beyond, beyondEnd);
    }

    /** What is kept is a transaction's beginning like any other. */
    @Test
    void itCanStandAgainInTheTransactionThatWasKept() {
        Received beyond = begin("0/200");
        Received end = commit("0/200", "0/230");
        stream.addAll(List.of(beyond, new Received.Keepalive(Lsn.parse("0/400")), end, begin("0/300")));
        halt.upTo(AT);
        assertThat(poll()).isEqualTo(new Received.Keepalive(AT));
        halt.upTo(Lsn.parse("0/300"));
        assertThat(pollAll())
                .containsExactly(
                        beyond,
                        new Received.Keepalive(Lsn.parse("0/400")),
                        end,
                        new Received.Keepalive(Lsn.parse("0/300")));
    }
}
