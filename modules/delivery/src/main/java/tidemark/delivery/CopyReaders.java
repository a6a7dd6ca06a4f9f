package tidemark.delivery;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import tidemark.replication.PartReader;
import tidemark.replication.SharedCopy;
import tidemark.replication.TablePart;
import tidemark.sink.FelderaName;

/**
 * Has several readers fill bodies at the same time, each from one part of a table after the other, the next that nobody
 * has taken. What they filled waits here, in the order in which it came, until it can be sent.
 *
 * <p>Bounds: with {@code p} readers there are at most {@code 2p} bodies, each of a {@code p}th of
 * {@code batch.max-bytes} and one more row: those under way, those that wait, the open batch and the one being sent.
 * Together they are as large as the two batches of the stream. A reader without a body reads nothing.
 *
 * <p>Owned by the connector's thread, but for the bodies under way.
 */
final class CopyReaders {
    /** A body with rows. */
    record Filled(FelderaName table, RowBytes body) {}

    private record Reading(Filling part, CopyProgress progress) {}

    private final Surroundings around;
    private final Outbox outbox;
    private final List<CopyProgress> tables;
    private final ArrayDeque<TablePart> parts;
    private final List<Reader> readers;
    private final BodyBounds bounds;
    private final ArrayDeque<Filled> filled = new ArrayDeque<>();

    /** @param tables whose parts are shared */
    CopyReaders(Surroundings around, Outbox outbox, SharedCopy shared, List<TablePlan> tables) {
        this.around = around;
        this.outbox = outbox;
        this.tables = tables.stream()
                .map(plan -> new CopyProgress(plan, around.board(), shared.parts()))
                .toList();
        this.parts = new ArrayDeque<>(shared.parts());
        this.readers = shared.readers().stream().map(Reader::new).toList();
        this.bounds = BodyBounds.of(around.settings(), readers.size());
    }

    /** Takes what was filled, and begins what may be. Returns whether there was any. Throws what a reader threw. */
    boolean goOn() {
        boolean moved = false;
        for (Reader reader : readers) {
            moved |= reader.takesItsBody();
            moved |= reader.begins();
        }
        return moved;
    }

    Optional<Filled> next() {
        return Optional.ofNullable(filled.poll());
    }

    /** The tables of which every row was taken out. */
    List<TablePlan> taken() {
        return tables.stream()
                .filter(CopyProgress::isRead)
                .map(CopyProgress::plan)
                .filter(plan -> filled.stream()
                        .noneMatch(body -> body.table().equals(plan.feldera().name())))
                .toList();
    }

    /** Every row was taken out. */
    boolean areDone() {
        return parts.isEmpty() && filled.isEmpty() && readers.stream().allMatch(Reader::isFree);
    }

    /** The one being sent is not seen from here, so one is left to it. */
    private boolean hasBody() {
        long underWay = readers.stream().filter(Reader::isUnderWay).count();
        return underWay + filled.size() + (outbox.isEmpty() ? 0 : 1) < 2L * readers.size() - 1;
    }

    private final class Reader {
        private final PartReader reader;
        private Optional<Reading> reading = Optional.empty();

        Reader(PartReader reader) {
            this.reader = reader;
        }

        boolean isFree() {
            return reading.isEmpty();
        }

        boolean isUnderWay() {
            return reading.filter(now -> !now.part().isIdle()).isPresent();
        }

        boolean takesItsBody() {
            if (reading.isEmpty()) return false;
            Reading now = reading.get();
            Optional<RowBytes> body = now.part().filled();
            if (body.isEmpty()) return false;
            int rows = body.get().operations();
            if (rows > 0) filled.add(new Filled(now.part().table(), body.get()));
            else outbox.release(body.get());
            now.progress().rowsRead(rows, around.now());
            if (now.part().isOver()) {
                now.progress().partRead(around.now());
                reading = Optional.empty();
            }
            return true;
        }

        boolean begins() {
            if (isUnderWay() || !hasBody()) return false;
            if (isFree()) takesPart();
            if (isFree()) return false;
            reading.get().part().begin(outbox.blank());
            return true;
        }

        private void takesPart() {
            TablePart next = parts.poll();
            if (next == null) return;
            CopyProgress table =
                    tables.stream().filter(of -> of.isOf(next)).findFirst().orElseThrow();
            var rows = new CopiedPart(next, table.plan(), reader, around.rows(), bounds);
            table.partBegins(around.now());
            reading = Optional.of(new Reading(new Filling(around.errands(), rows), table));
        }
    }
}
