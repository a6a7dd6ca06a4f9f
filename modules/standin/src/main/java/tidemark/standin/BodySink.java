package tidemark.standin;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Where the bytes of one body go: at a pace, and perhaps not to the end. Content is counted, what frames it is not.
 * Owned by the thread that copies.
 */
final class BodySink {
    /** The place has come where the body is to break off. */
    static final class Cut extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** Who was to get the body does not take it. */
    static final class Broken extends IOException {
        private static final long serialVersionUID = 1L;

        Broken(IOException cause) {
            super(cause);
        }
    }

    /** Waits; throws when the proxy is closed meanwhile. */
    interface Pause {
        void of(Duration time) throws IOException;
    }

    private static final int SLICES_PER_SECOND = 20;

    private final OutputStream out;
    private final Pause pause;
    private final OptionalLong bytesPerSecond;
    private OptionalLong untilCut;

    BodySink(OutputStream out, Pause pause, OptionalLong bytesPerSecond, OptionalLong untilCut) {
        this.out = out;
        this.pause = pause;
        this.bytesPerSecond = bytesPerSecond;
        this.untilCut = untilCut;
    }

    /** Swallows everything. */
    static BodySink nowhere() {
        return to(OutputStream.nullOutputStream());
    }

    /** As fast as it comes and to the end. */
    static BodySink to(OutputStream out) {
        return new BodySink(out, _ -> {}, OptionalLong.empty(), OptionalLong.empty());
    }

    /** The body has so many bytes; when it is to be cut at all, its last one does not get through. */
    void cutBefore(long length) {
        if (untilCut.isPresent()) untilCut = OptionalLong.of(Math.min(untilCut.getAsLong(), length - 1));
    }

    void cutHere() throws IOException {
        if (untilCut.isPresent()) {
            flush();
            throw new Cut();
        }
    }

    void content(byte[] bytes, int length) throws IOException {
        int through = (int) Math.min(length, untilCut.orElse(Long.MAX_VALUE));
        write(bytes, through);
        if (untilCut.isPresent()) {
            untilCut = OptionalLong.of(untilCut.getAsLong() - through);
            if (through < length) cutHere();
        }
    }

    private void write(byte[] bytes, int length) throws IOException {
        if (bytesPerSecond.isEmpty()) {
            write(bytes, 0, length);
            return;
        }
        long pace = bytesPerSecond.getAsLong();
        int slice = Math.clamp(pace / SLICES_PER_SECOND, 1, length);
        for (int start = 0; start < length; start += slice) {
            int now = Math.min(slice, length - start);
            pause.of(Duration.ofNanos(now * Duration.ofSeconds(1).toNanos() / pace));
            write(bytes, start, now);
            flush();
        }
    }

    void line(String text) throws IOException {
        byte[] line = (text + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        write(line, 0, line.length);
    }

    private void write(byte[] bytes, int start, int length) throws IOException {
        try {
            out.write(bytes, start, length);
        } catch (IOException e) {
            throw new Broken(e);
        }
    }

    void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            throw new Broken(e);
        }
    }

    /** The body is through; one that was to be cut and had no place for it is cut now. */
    void end() throws IOException {
        cutHere();
        flush();
    }
}
