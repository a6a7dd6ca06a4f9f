package tidemark.delivery;

import java.util.List;

/** The connector of a round trip: on a thread of this JVM, or in a JVM that believes to be elsewhere. */
interface Carrier extends AutoCloseable {
    /** Fails, with what it has said, if it has ended by itself. */
    void expectRunning();

    /** Drains it; what it sent as null for want of a value. */
    List<NulledValues.Count> stop();

    @Override
    void close();
}
