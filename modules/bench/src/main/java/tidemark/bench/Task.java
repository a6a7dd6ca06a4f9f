package tidemark.bench;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import tidemark.decode.Lsn;

/**
 * One reading of one backlog, as a contestant's command line has it.
 *
 * @param slot of this reading alone; for a copy there is none yet
 * @param rows how many changes or rows must come
 * @param last where WAL stood just before the last commit record: who completed anything beyond it completed everything
 * @param directory for what the contestant keeps on disk
 */
record Task(String postgres, String slot, Workload workload, long rows, Lsn last, URI feldera, Path directory) {
    static final String USER = "postgres";

    List<String> words() {
        return List.of(
                postgres,
                slot,
                workload.name(),
                Long.toString(rows),
                last.toString(),
                feldera.toString(),
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
                Path.of(words[6]));
    }
}
