package tidemark.replication;

import java.util.List;

/**
 * Tables in parts, and the readers that share them.
 *
 * @param parts of the biggest table first; those of one table together are the table, each row once
 * @param readers no more than there are parts; any of them may read any part, in any order
 */
public record SharedCopy(List<TablePart> parts, List<PartReader> readers) implements AutoCloseable {
    @Override
    public void close() {
        readers.forEach(PartReader::close);
    }
}
