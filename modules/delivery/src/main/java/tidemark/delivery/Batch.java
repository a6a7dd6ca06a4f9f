package tidemark.delivery;

import java.util.List;
import java.util.Optional;
import tidemark.decode.Lsn;
import tidemark.sink.FelderaName;

/**
 * What one flush sends: whole transactions joined, or one part of a transaction larger than the bounds, possibly behind
 * whole ones.
 *
 * @param bodies one per table, in the order of each table's first row
 * @param endLsn end of the last transaction that is whole in it; empty for a part, and for rows of a copy
 */
record Batch(long id, List<Body> bodies, Optional<Lsn> endLsn) {
    record Body(FelderaName table, RowBytes bytes) {
        /** What Feldera will count for it. */
        int operations() {
            return bytes.operations();
        }
    }
}
