package tidemark.standin;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One port on loopback that can be closed to new connections and opened again. While it is closed, connecting is
 * refused by the kernel, and a socket that only holds the port keeps others from getting it. Thread safe.
 */
final class ProxyListener implements AutoCloseable {
    private final Consumer<SocketChannel> accepted;
    private final InetSocketAddress address;
    private ServerSocketChannel listening;
    private Thread accepting;
    private Optional<Socket> holding = Optional.empty();

    /** @param accepted called on the accepting thread, which it must not keep */
    ProxyListener(Consumer<SocketChannel> accepted) {
        this.accepted = accepted;
        this.listening = listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        this.address = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), listening.socket().getLocalPort());
        this.accepting = accept(listening);
    }

    private static ServerSocketChannel listen(InetSocketAddress address) {
        try {
            return ServerSocketChannel.open().bind(address);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Thread accept(ServerSocketChannel on) {
        return Thread.ofVirtual().start(() -> {
            try {
                while (true) accepted.accept(on.accept());
            } catch (IOException _) {
                // closed: that is how a listener ends
            }
        });
    }

    int port() {
        return address.getPort();
    }

    synchronized void refuse() {
        if (holding.isPresent()) return;
        try {
            stopListening();
            Socket holder = new Socket();
            holder.setReuseAddress(true);
            holder.bind(address);
            holding = Optional.of(holder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The kernel listens until the thread that accepts has let go of the socket. */
    private void stopListening() throws IOException {
        listening.close();
        try {
            accepting.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    synchronized void resume() {
        if (holding.isEmpty()) return;
        try {
            holding.get().close();
            holding = Optional.empty();
            listening = listen(address);
            accepting = accept(listening);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** When this returns, whatever was accepted was handed over. */
    @Override
    public synchronized void close() {
        try {
            stopListening();
            if (holding.isPresent()) holding.get().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
