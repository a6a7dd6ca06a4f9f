package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidemark.decode.Lsn;
import tidemark.replication.ChangeSource;
import tidemark.replication.SourceSession;
import tidemark.replication.SourceSession.Received;

/** What is brought before the halt is exactly what a snapshot at the position shows. */
class HaltingSourceTest {
    private static final Lsn AT = Lsn.parse("0/200");

    private final ArrayDeque<Received> script = new ArrayDeque<>();
    private final List<Received> brought = new ArrayList<>();
    private int halts;
    private final HaltingSource source = new HaltingSource(fake(ChangeSource.class), AT, () -> halts++);

    /** Knows the script and nothing else. */
    private <T> T fake(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> switch (method.getName()) {
                    case "open" -> fake(SourceSession.class);
                    case "poll" -> script.isEmpty() ? new Received.Nothing() : script.removeFirst();
                    case "close" -> Void.TYPE;
                    default -> throw new UnsupportedOperationException(method.getName());
                }));
    }

    static Received begin(String commitLsn) {
        return message(ByteBuffer.allocate(21)
                .put((byte) 'B')
                .putLong(Lsn.parse(commitLsn).value())
                .putLong(0)
                .putInt(7));
    }

    static Received commit(String commitLsn, String endLsn) {
        return message(ByteBuffer.allocate(26)
                .put((byte) 'C')
                .put((byte) 0)
                .putLong(Lsn.parse(commitLsn).value())
                .putLong(Lsn.parse(endLsn).value())
                .putLong(0));
    }

    private static Received message(ByteBuffer content) {
        byte[] bytes = new byte[content.flip().remaining()];
        content.get(bytes);
        return new Received.WalMessage(Lsn.ZERO, bytes, 0, bytes.length);
    }

    private void pollAll() {
        try (SourceSession session = source.open()) {
            for (int i = script.size() + 1; i > 0; i--) brought.add(session.poll());
        }
    }

    @Test
    void theLastTransactionIsTheOneThatEndsAtThePosition() {
        Received last = begin("0/1C0");
        Received end = commit("0/1C0", "0/200");
        script.addAll(List.of(last, end, begin("0/200"), commit("0/200", "0/230")));
        pollAll();
        assertThat(brought.subList(0, 3)).containsExactly(last, end, new Received.Keepalive(AT));
        assertThat(brought.subList(3, brought.size())).containsOnly(new Received.Nothing());
        assertThat(source.isHalted()).isTrue();
        assertThat(halts).isEqualTo(1);
    }

    @Test
    void aKeepaliveHaltsBetweenTransactionsAndNotInsideOne() {
        Received begin = begin("0/1C0");
        Received early = new Received.Keepalive(Lsn.parse("0/1FF"));
        Received ahead = new Received.Keepalive(Lsn.parse("0/300"));
        Received end = commit("0/1C0", "0/1F0");
        script.addAll(List.of(begin, ahead, end, early, ahead));
        pollAll();
        assertThat(brought)
                .containsExactly(begin, ahead, end, early, new Received.Keepalive(AT), new Received.Nothing());
    }

    @Test
    void withoutWordOfThePositionItWaits() {
        script.add(new Received.Keepalive(Lsn.parse("0/1FF")));
        pollAll();
        assertThat(source.isHalted()).isFalse();
    }
}
