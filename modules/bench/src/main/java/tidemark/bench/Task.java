package tidemark.bench;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import tidemark.decode.Lsn;

/**
 * One reading of one backlog, as a contestant's command line has it.
 *
 * @param slot of this reading alone; for a copy there is none yet
 * @param rows how many changes or rows must come
 * @param last where WAL stood just before the last commit record: who completed anything beyond it completed everything
 * @param linger the longest that a row waits for others
 * @param directory for what the contestant keeps on disk
 */
record Task(
        String postgres,
        String slot,
        Workload workload,
        long rows,
        Lsn last,
        URI feldera,
        Duration linger,
        Path directory) {
    static final String USER = "postgres";

    List<String> words() {
        return List.of(
                postgres,
                slot,
                workload.name(),
                Long.toString(rows),
                last.toString(),
                feldera.toString(),
                linger.toString(),
                directory.toString());
    }

    static Task parse(String[] words) {
        return new Task(
                words[0],
                words[1],
                Workload.valueOf(words[2]),
                Long.parseLong(words[3]),
                Lsn.parse(words[4]),
                URI.create(words[5]),
                Duration.parse(words[6]),
                Path.of(words[7]));
    }
}
