package tidemark.standin;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Who records what readers of one pipeline could have seen. Outlives the processes. Thread safe. */
final class Recordings {
    private final List<Recording> all = new CopyOnWriteArrayList<>();

    void add(Recording recording) {
        all.add(recording);
    }

    void visible(String incarnation, long step, Map<String, TableContent> tables) {
        all.forEach(recording -> recording.add(incarnation, step, tables));
    }
}
