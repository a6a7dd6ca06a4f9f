package tidemark.standin;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every state of a pipeline that a reader could have seen, in order, without gaps: one for each step that made
 * something visible, one for each start. No poller sees as much. Thread safe.
 */
public final class Recording {
    /**
     * What could be seen at one moment.
     *
     * @param incarnation the process's life
     * @param step after which it was so
     * @param counts how many rows each table had, by its name
     * @param answers the lines with which each query of the recording would have been answered
     */
    public record State(String incarnation, long step, Map<String, Long> counts, List<List<String>> answers) {
        /** How many rows this table had. */
        public long count(String table) {
            return Optional.ofNullable(counts.get(table))
                    .orElseThrow(() -> new IllegalArgumentException("no table " + table));
        }
    }

    private final List<QueryStatement> queries;
    private final List<State> states = new ArrayList<>();

    Recording(List<String> queries) {
        this.queries = queries.stream().map(QueryStatement::parse).toList();
    }

    /** What has been visible so far, oldest first. */
    public synchronized List<State> states() {
        return List.copyOf(states);
    }

    synchronized void add(String incarnation, long step, Map<String, TableContent> tables) {
        Map<String, Long> counts = new LinkedHashMap<>();
        tables.forEach((name, table) -> counts.put(name, table.store().count()));
        states.add(new State(
                incarnation,
                step,
                counts,
                queries.stream().map(query -> answer(query, tables)).toList()));
    }

    private static List<String> answer(QueryStatement query, Map<String, TableContent> tables) {
        var out = new ByteArrayOutputStream();
        try {
            QueryAnswer.plan(query, tables).write(out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
