package tidemark.replication;

import java.util.Optional;
import tidemark.decode.Tuple;

/** The rows of one table under one snapshot. Owned by one thread. */
public interface TableCopy extends AutoCloseable {
    /** The next row, valid until the next call; empty after the last one. Waits for PostgreSQL. */
    Optional<Tuple> next();

    /** Ends the copy, also in the middle. */
    @Override
    void close();
}
