package tidemark.standin;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One of the two connections of a proxy, and the ways to end it. Read by one thread, written by one thread. */
final class ProxyPeer implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final SocketChannel channel;
    private final InputStream in;
    private final OutputStream out;

    ProxyPeer(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        this.in = new BufferedInputStream(channel.socket().getInputStream(), BUFFER_BYTES);
        this.out = new BufferedOutputStream(channel.socket().getOutputStream(), BUFFER_BYTES);
    }

    static ProxyPeer connect(InetSocketAddress address) throws IOException {
        return new ProxyPeer(SocketChannel.open(address));
    }

    InputStream in() {
        return in;
    }

    OutputStream out() {
        return out;
    }

    /** @throws BodySink.Broken when the peer does not take it */
    void send(HttpHead head) throws IOException {
        BodySink sink = BodySink.to(out);
        byte[] bytes = head.bytes();
        sink.content(bytes, bytes.length);
        sink.flush();
    }

    /** Waits until there is something to read; false when the peer has ended instead. */
    boolean awaitByte() throws IOException {
        in.mark(1);
        int next = in.read();
        in.reset();
        return next >= 0;
    }

    /** Whether the peer, which owes nothing, has ended meanwhile. Only while nobody reads. */
    boolean hasEnded() throws IOException {
        try {
            channel.configureBlocking(false);
            return channel.read(ByteBuffer.allocate(1)) != 0;
        } catch (IOException _) {
            return true;
        } finally {
            if (channel.isOpen()) channel.configureBlocking(true);
        }
    }

    /** Says that nothing more will come, and goes on listening. */
    void endOutput() {
        try {
            channel.shutdownOutput();
        } catch (IOException _) {
            // ended already
        }
    }

    /** RST. Without it, closing sends FIN; also to a peer whose bytes were not read, as far as the kernel allows. */
    void reset() {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException _) {
            // closed already, which is as good
        }
        close();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
