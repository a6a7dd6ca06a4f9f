package tidemark.delivery;

import java.util.Optional;
import tidemark.decode.Tuple;
import tidemark.replication.PartReader;
import tidemark.replication.TableCopy;
import tidemark.replication.TablePart;
import tidemark.sink.FelderaName;

/**
 * Fills bodies with the rows of one part of a table, through an encoder of its own. Nothing is asked of PostgreSQL
 * before the first body. Owned by the errand that fills; what it has not read when the session ends is read again from
 * the beginning.
 */
final class CopiedPart implements BodySource {
    private final TablePart part;
    private final TablePlan plan;
    private final PartReader reader;
    private final RowEncoder encoder;
    private final BodyBounds bounds;
    private Optional<TableCopy> begun = Optional.empty();

    CopiedPart(TablePart part, TablePlan plan, PartReader reader, RowPolicy policy, BodyBounds bounds) {
        this.part = part;
        this.plan = plan;
        this.reader = reader;
        this.encoder = plan.copyEncoder(policy);
        this.bounds = bounds;
    }

    @Override
    public FelderaName table() {
        return plan.feldera().name();
    }

    @Override
    public boolean fill(RowBytes body) {
        if (begun.isEmpty()) begun = Optional.of(reader.copy(part));
        TableCopy copy = begun.get();
        while (!bounds.isFull(body)) {
            Optional<Tuple> row = copy.next();
            if (row.isEmpty()) {
                copy.close();
                return false;
            }
            insert(row.get(), body);
        }
        return true;
    }

    private void insert(Tuple row, RowBytes body) {
        try {
            encoder.insert(row, body);
        } catch (RowRefused refused) {
            throw Session.ofCopied(refused);
        }
    }

    /** Ends its reader, which alone knows how: its other parts, too. */
    @Override
    public void close() {
        reader.close();
    }
}
