package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tidemark.sink.Problem;
import tidemark.sink.QueryRows;
import tidemark.sink.SinkFailure;

/** Rows with their number behind them, unless something happens on the way (feldera.md 4). */
final class SimAnswer implements QueryRows {
    private enum End {
        WHOLE,
        /** The stream ends as if it were whole. */
        EARLY,
        /** A last object says that the query failed. */
        ERROR,
        /** The connection is gone. */
        BROKEN,
        /** A row is left out. */
        GAP
    }

    private final List<String> rows;
    private final String nothing;
    private final BooleanSupplier alive;
    private final End end;
    private final int troubledAt;
    private int next;
    private boolean over;

    /**
     * @param rows the members of each row's object
     * @param nothing the same of a row of nulls
     * @param keyless a last object that says that the query failed would mean a negative weight, which it never has
     * @param alive whether the life that was asked still answers
     */
    SimAnswer(SimWorld world, List<String> rows, String nothing, boolean keyless, BooleanSupplier alive) {
        this.rows = rows;
        this.nothing = nothing;
        this.alive = alive;
        End drawn = world.mischief(0.15) ? End.values()[world.dice.nextInt(End.values().length)] : End.WHOLE;
        this.end = keyless && drawn == End.ERROR ? End.BROKEN : drawn;
        this.troubledAt = world.dice.nextInt(rows.size() + 1);
    }

    @Override
    public Optional<byte[]> next() {
        if (!alive.getAsBoolean()) throw broken();
        if (over) return Optional.empty();
        if (next == troubledAt) {
            switch (end) {
                case WHOLE -> {}
                case EARLY -> {
                    return Optional.empty();
                }
                case ERROR -> throw new SinkFailure(new Problem("query", 200, "", "", SinkFailure.Kind.PERMANENT));
                case BROKEN -> throw broken();
                case GAP -> next++;
            }
        }
        if (next < rows.size()) return Optional.of(object(rows.get(next++), "null"));
        over = true;
        return Optional.of(object(nothing, Integer.toString(rows.size())));
    }

    private static SinkFailure broken() {
        return new SinkFailure(SimPipeline.problem("query", 0));
    }

    private static byte[] object(String row, String count) {
        return "{%s,\"row count\":%s}".formatted(row, count).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {}
}
