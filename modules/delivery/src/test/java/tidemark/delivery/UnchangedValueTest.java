package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static tidemark.delivery.HandMadeTuple.NULL;
import static tidemark.delivery.HandMadeTuple.UNCHANGED;
import static tidemark.delivery.HandMadeTuple.row;

import org.junit.jupiter.api.Test;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.PgOutputMessage.Absent;
import tidemark.decode.PgOutputMessage.FullRow;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.delivery.ReplicationState.Stand;

/** Updates that leave a large value alone, which PostgreSQL then does not send (docs/adr/0012). */
class UnchangedValueTest extends EncodedRows {
    @Test
    void aLargeValueLeftAloneIsTakenFromTheOldImage() {
        var encoder = users().identity(ReplicaIdentity.FULL).streamEncoder();
        encoder.update(new FullRow(row("1", "large", NULL)), row("1", UNCHANGED, "2024-01-02"), out);
        assertThat(body()).isEqualTo("[{\"insert\":{\"id\":1,\"name\":\"large\",\"born\":\"2024-01-02\"}}]");
    }

    @Test
    void aLargeKeyLeftAloneIsTheSameKey() {
        var encoder = new TableFixture("t")
                .both("id", TEXT, "VARCHAR!")
                .both("id2", INT4, "INTEGER!")
                .key("id", "id2")
                .streamEncoder();
        assertThat(encoder.update(new PgOutputMessage.Key(row("large", "1")), row(UNCHANGED, "1"), out))
                .isEqualTo(1);
        assertThat(encoder.update(new PgOutputMessage.Key(row("large", "1")), row(UNCHANGED, "2"), out))
                .isEqualTo(2);
        assertThat(body())
                .isEqualTo("[{\"insert\":{\"id\":\"large\",\"id2\":1}},"
                        + "{\"delete\":{\"id\":\"large\",\"id2\":1}},{\"insert\":{\"id\":\"large\",\"id2\":2}}]");
    }

    /** Also several at once: the old image has all of the row. */
    @Test
    void everyColumnLeftAloneIsTakenFromAFullOldImage() {
        var encoder = documents().identity(ReplicaIdentity.FULL).streamEncoder();
        assertThat(encoder.update(
                        new FullRow(row("1", "large", "long", "larger")),
                        row("2", UNCHANGED, UNCHANGED, UNCHANGED),
                        out))
                .isEqualTo(2);
        assertThat(body())
                .isEqualTo(
                        "[{\"delete\":{\"id\":1}},"
                                + "{\"insert\":{\"body\":\"large\",\"id\":2,\"note\":\"long\",\"doc\":\"larger\",\"later\":null}}]");
    }

    /** A large value is not null: the message claims the FULL of a root, and has what a partition logged. */
    @Test
    void aNullInAFullImageIsNotTheLargeValueThatWasLeftAlone() {
        var encoder = documents().identity(ReplicaIdentity.FULL).streamEncoder();
        assertRefused(
                () -> encoder.update(new FullRow(row("1", NULL, NULL, NULL)), row("2", UNCHANGED, "n", "d"), out),
                "column body",
                "left its large value alone");
    }

    /** Feldera keeps what an update leaves out; what PostgreSQL lacks is null, as an insert would make it. */
    @Test
    void aRowThatIsThereIsUpdatedWithWhatWasSentOfIt() {
        var encoder = documents().streamEncoder();
        assertThat(encoder.update(new Absent(), row("1", UNCHANGED, NULL, "small"), out))
                .isEqualTo(1);
        assertThat(encoder.update(new Absent(), row("1", UNCHANGED, UNCHANGED, UNCHANGED), out))
                .isEqualTo(1);
        assertThat(body())
                .isEqualTo("[{\"update\":{\"id\":1,\"note\":null,\"doc\":\"small\",\"later\":null}},"
                        + "{\"update\":{\"id\":1,\"later\":null}}]");
        assertThat(out.operations()).isEqualTo(2);
    }

    /** The columns of a key image that are not of the identity are placeholders: they look like nulls and are none. */
    @Test
    void aKeyImageFillsInTheIdentityAndNothingElse() {
        var encoder = new TableFixture("t")
                .both("id", TEXT, "VARCHAR!")
                .both("body", TEXT, "VARCHAR")
                .both("tag", TEXT, "VARCHAR")
                .key("id")
                .streamEncoder();
        encoder.update(new PgOutputMessage.Key(row("large", NULL, NULL)), row(UNCHANGED, UNCHANGED, "b"), out);
        assertThat(body()).isEqualTo("[{\"update\":{\"id\":\"large\",\"tag\":\"b\"}}]");
    }

    /** Feldera would ignore an update of a row that it does not have, and count it. */
    @Test
    void aLargeValueLeftAloneInARowThatMayBeMissingIsRefused() {
        var encoder = users().streamEncoder(Stand.UNKNOWN);
        assertRefused(
                () -> encoder.update(new Absent(), row("1", UNCHANGED, NULL), out),
                "column name",
                "may be missing",
                "REPLICA IDENTITY FULL",
                "snapshot.mode=initial");
        assertThat(encoder.update(new Absent(), row("1", "small", NULL), out)).isEqualTo(1);
    }

    @Test
    void aLargeValueLeftAloneUnderANewKeyIsRefused() {
        var encoder = users().streamEncoder();
        assertRefused(
                () -> encoder.update(new PgOutputMessage.Key(row("1", NULL, NULL)), row("2", UNCHANGED, NULL), out),
                "column name",
                "the key changed",
                "REPLICA IDENTITY FULL",
                "restart the pipeline empty");
    }

    /** A row filter that a row comes to meet makes an insert of its update (PostgreSQL, pgoutput.c). */
    @Test
    void anInsertThatLeavesAValueOutIsRefused() {
        assertRefused(
                () -> users().streamEncoder().insert(row("1", UNCHANGED, NULL), out),
                "column name",
                "REPLICA IDENTITY FULL");
    }

    @Test
    void aLargeValueThatFelderaHasNoColumnForMayBeLeftAlone() {
        var encoder = users().source("notes", TEXT).streamEncoder();
        assertThat(encoder.update(new Absent(), row("1", "a", NULL, UNCHANGED), out))
                .isEqualTo(1);
    }

    /** The key is not the first column, and PostgreSQL lacks the last one. */
    private static TableFixture documents() {
        return new TableFixture("documents")
                .target("body", "VARCHAR")
                .both("id", INT4, "INTEGER!")
                .source("body", TEXT)
                .both("note", TEXT, "VARCHAR")
                .both("doc", TEXT, "VARCHAR")
                .target("later", "INTEGER")
                .key("id");
    }
}
