package tidemark.standin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/**
 * One connection through {@link WireProxy}: bytes, ends and resets of one side reach the other in order, each through
 * the gate. A thread for each direction owns its reading; at most one buffer of bytes is under way in each.
 */
final class WireLink {
    private static final int BUFFER_BYTES = 16 * 1024;

    private final SocketChannel client;
    private final WireGate.Pass pass;
    private final Resets resets;
    private Optional<SocketChannel> server = Optional.empty();
    private boolean ended;

    WireLink(SocketChannel client, WireGate.Pass pass, Resets resets) {
        this.client = client;
        this.pass = pass;
        this.resets = resets;
    }

    /** Returns when the connection has ended on both sides. In a black hole the server hears nothing of it. */
    void run(InetSocketAddress address) {
        try {
            client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            if (pass.isLost()) {
                pass.await(Direction.TO_SERVER);
                return;
            }
            SocketChannel to = connect(address);
            Thread back =
                    Thread.ofVirtual().name("wire-proxy-to-client").start(() -> pump(to, client, Direction.TO_CLIENT));
            pump(client, to, Direction.TO_SERVER);
            back.join();
            end(false);
        } catch (IOException _) {
            end(true);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            end(true);
        }
    }

    private SocketChannel connect(InetSocketAddress address) throws IOException {
        SocketChannel to = SocketChannel.open(address);
        to.setOption(StandardSocketOptions.TCP_NODELAY, true);
        keep(to);
        resets.connected(to.socket().getLocalPort());
        return to;
    }

    private synchronized void keep(SocketChannel to) throws IOException {
        if (ended) {
            to.close();
            throw new IOException("ended before it began");
        }
        server = Optional.of(to);
    }

    private void pump(SocketChannel from, SocketChannel to, Direction direction) {
        try {
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
            while (from.read(buffer) >= 0) {
                buffer.flip();
                if (!pass.await(direction)) return;
                while (buffer.hasRemaining()) to.write(buffer);
                buffer.clear();
            }
            if (pass.await(direction)) to.shutdownOutput();
        } catch (IOException _) {
            broken(direction);
        }
    }

    /** A reset travels as bytes do. */
    private void broken(Direction direction) {
        try {
            if (!pass.await(direction)) return;
            if (direction == Direction.TO_SERVER) tellReset();
            end(true);
        } catch (IOException _) {
            end(true);
        }
    }

    /** Before it happens to the server, which then may be waiting for anything but this. */
    private synchronized void tellReset() {
        server.ifPresent(to -> resets.reset(to.socket().getLocalPort()));
    }

    void lose() {
        pass.lose();
    }

    /** Closes both sides, with RST or with FIN. */
    synchronized void end(boolean reset) {
        if (ended) return;
        ended = true;
        pass.end();
        close(client, reset);
        server.ifPresent(to -> close(to, reset));
    }

    private static void close(SocketChannel channel, boolean reset) {
        try {
            if (reset && channel.isOpen()) channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
