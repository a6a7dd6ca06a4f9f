package tidemark.decode;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tidemark.decode.PgOutputMessage.Absent;
import tidemark.decode.PgOutputMessage.Begin;
import tidemark.decode.PgOutputMessage.Column;
import tidemark.decode.PgOutputMessage.Commit;
import tidemark.decode.PgOutputMessage.Delete;
import tidemark.decode.PgOutputMessage.FullRow;
import tidemark.decode.PgOutputMessage.Insert;
import tidemark.decode.PgOutputMessage.LogicalMessage;
import tidemark.decode.PgOutputMessage.Origin;
import tidemark.decode.PgOutputMessage.Relation;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.PgOutputMessage.Truncate;
import tidemark.decode.PgOutputMessage.Update;

/** Any message that a server could send, small more often than large. The same seed gives the same messages. */
final class RandomMessages {
    private static final int KINDS = 10;
    private static final List<ReplicaIdentity> IDENTITIES = List.of(ReplicaIdentity.values());

    private final RandomGenerator random;

    RandomMessages(RandomGenerator random) {
        this.random = random;
    }

    PgOutputMessage next() {
        return switch (random.nextInt(KINDS)) {
            case 0 -> new Begin(new Lsn(random.nextLong() | 1), random.nextLong(), random.nextInt());
            case 1 -> commit();
            case 2 -> new Relation(random.nextInt(), new RelationName(name(), name()), identity(), columns());
            case 3 -> new PgOutputMessage.Type(random.nextInt(), name(), name());
            case 4 -> new Insert(random.nextInt(), tuple(width(), true));
            case 5 -> update();
            case 6 -> new Delete(random.nextInt(), loggedImage(width()));
            case 7 -> truncate();
            case 8 -> new Origin(new Lsn(random.nextLong()), name());
            default -> new LogicalMessage(random.nextBoolean(), new Lsn(random.nextLong()), name(), random.nextInt(40));
        };
    }

    private Commit commit() {
        long commitLsn = random.nextLong() & -2;
        return new Commit(new Lsn(commitLsn), new Lsn(commitLsn | 1), random.nextLong());
    }

    private Update update() {
        int width = width();
        PgOutputMessage.OldImage before = random.nextInt(3) == 0 ? new Absent() : loggedImage(width);
        return new Update(random.nextInt(), before, tuple(width, true));
    }

    private PgOutputMessage.LoggedImage loggedImage(int width) {
        return random.nextBoolean() ? new PgOutputMessage.Key(tuple(width, false)) : new FullRow(tuple(width, false));
    }

    private Truncate truncate() {
        List<Integer> ids =
                IntStream.range(0, width()).mapToObj(_ -> random.nextInt()).toList();
        return new Truncate(ids, random.nextBoolean(), random.nextBoolean());
    }

    private ReplicaIdentity identity() {
        return IDENTITIES.get(random.nextInt(IDENTITIES.size()));
    }

    private List<Column> columns() {
        return Stream.generate(() -> new Column(name(), random.nextInt(), random.nextInt(), random.nextBoolean()))
                .limit(width())
                .toList();
    }

    private Tuple tuple(int width, boolean mayBeUnchanged) {
        byte[] buffer = new byte[random.nextInt(100) == 0 ? 70_000 : 40];
        random.nextBytes(buffer);
        ReusedTuple tuple = new ReusedTuple();
        tuple.begin(buffer, width);
        for (int column = 0; column < width; column++) {
            switch (random.nextInt(mayBeUnchanged ? 5 : 4)) {
                case 0 -> tuple.addNull();
                case 4 -> tuple.addUnchanged();
                default -> {
                    int start = random.nextInt(buffer.length);
                    tuple.addText(start, random.nextInt(buffer.length - start + 1));
                }
            }
        }
        return tuple;
    }

    private int width() {
        return random.nextInt(300) == 0 ? ReusedTuple.COLUMNS_MAX : random.nextInt(9);
    }

    /** Code points of one to four bytes; never NUL, never half a surrogate pair. */
    private String name() {
        StringBuilder name = new StringBuilder();
        for (int length = random.nextInt(8); length > 0; length--) {
            name.appendCodePoint(
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextInt(0x80, 0x800);
                        case 1 -> random.nextInt(0x800, 0xD800);
                        case 2 -> random.nextInt(0x10000, Character.MAX_CODE_POINT + 1);
                        default -> random.nextInt(1, 0x80);
                    });
        }
        return name.toString();
    }
}
