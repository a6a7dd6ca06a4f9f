package tidemark.replication;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tidemark.decode.Lsn;
import tidemark.decode.PgOutputDecoder;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.Tuple;
import tidemark.replication.SourceSession.Received;

/** Reads a session as the delivery loop does: polls, beats, and notes what came. */
final class StreamProbe {
    final SourceSession session;
    final List<Lsn> commitEnds = new ArrayList<>();
    final List<List<String>> inserted = new ArrayList<>();
    long inserts;
    long keepalives;
    Lsn keepaliveEnd = Lsn.ZERO;
    Lsn received = Lsn.ZERO;
    private final PgOutputDecoder decoder = new PgOutputDecoder();

    StreamProbe(SourceSession session) {
        this.session = session;
    }

    void readUntil(String what, BooleanSupplier condition) {
        TestPostgres.await(what, () -> {
            step();
            return condition.getAsBoolean();
        });
    }

    void readCommits(int count) {
        readUntil(count + " commits", () -> commitEnds.size() >= count);
    }

    /** Everything that is there now, with a heartbeat after each message. */
    void step() {
        while (read()) session.heartbeat(System.nanoTime());
        session.heartbeat(System.nanoTime());
    }

    boolean read() {
        return switch (session.poll()) {
            case Received.Nothing _ -> false;
            case Received.Keepalive(Lsn walEnd) -> {
                keepalives++;
                keepaliveEnd = walEnd;
                received = Lsn.later(received, walEnd);
                yield true;
            }
            case Received.WalMessage(Lsn walStart, byte[] buffer, int offset, int length) -> {
                received = Lsn.later(received, walStart);
                note(decoder.decode(buffer, offset, length));
                yield true;
            }
        };
    }

    private void note(PgOutputMessage message) {
        if (message instanceof PgOutputMessage.Commit commit) commitEnds.add(commit.endLsn());
        if (message instanceof PgOutputMessage.Insert insert) {
            inserts++;
            if (inserted.size() < 10_000) inserted.add(texts(insert.row()));
        }
    }

    static List<String> texts(Tuple row) {
        List<String> texts = new ArrayList<>();
        for (int column = 0; column < row.size(); column++)
            texts.add(text(row, column).orElse("<null>"));
        return texts;
    }

    private static Optional<String> text(Tuple row, int column) {
        return switch (row.kind(column)) {
            case TEXT ->
                Optional.of(new String(row.buffer(), row.start(column), row.length(column), StandardCharsets.UTF_8));
            case NULL -> Optional.empty();
            case UNCHANGED_TOAST -> Optional.of("<unchanged>");
        };
    }

    static List<List<String>> rows(TableCopy copy) {
        List<List<String>> rows = new ArrayList<>();
        for (Optional<Tuple> row = copy.next(); row.isPresent(); row = copy.next()) rows.add(texts(row.get()));
        return rows;
    }
}
