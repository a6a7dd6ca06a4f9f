package tidemark.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
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
import tidemark.decode.Tuple.ColumnKind;

/**
 * The hexadecimal messages are what PostgreSQL 15.17 sent for a table {@code s.m(id int primary key, b s.mood, w
 * numeric(5,2))}.
 */
class PgOutputDecoderTest {
    private static final int RELATION = 0x4037;

    private final PgOutputDecoder decoder = new PgOutputDecoder();

    @Test
    void readsTheBoundsOfATransaction() {
        assertThat(decode("42000000000159f6380003046f8f25bf1e00000303"))
                .isEqualTo(new Begin(Lsn.parse("0/159F638"), 0x0003_046f_8f25_bf1eL, 771));
        assertThat(decode("4300000000000159f638000000000159f6680003046f8f25bf1e"))
                .isEqualTo(new Commit(Lsn.parse("0/159F638"), Lsn.parse("0/159F668"), 0x0003_046f_8f25_bf1eL));
    }

    @Test
    void readsTheShapeOfATable() {
        assertThat(decode(
                        "520000403773006d006400030169640000000017ffffffff00620000004035ffffffff007700000006a400050006"))
                .isEqualTo(new Relation(
                        RELATION,
                        new RelationName("s", "m"),
                        ReplicaIdentity.DEFAULT,
                        List.of(
                                new Column("id", 23, -1, true),
                                new Column("b", 0x4035, -1, false),
                                new Column("w", 1700, 0x50006, false))));
    }

    @ParameterizedTest
    @CsvSource({"d, DEFAULT", "n, NOTHING", "f, FULL", "i, INDEX"})
    void readsTheReplicaIdentity(char letter, ReplicaIdentity identity) {
        var relation =
                MessageBytes.of('R').int32(1).text("s").text("t").int8(letter).int16(0);
        assertThat(decode(relation)).isEqualTo(new Relation(1, new RelationName("s", "t"), identity, List.of()));
    }

    @Test
    void readsATypeThatIsNotBuiltIn() {
        assertThat(decode("590000403573006d6f6f6400")).isEqualTo(new PgOutputMessage.Type(0x4035, "s", "mood"));
    }

    @Test
    void readsAnInsertedRowInPlace() {
        byte[] message = MessageBytes.hex("49000040374e000374000000013174000000037361647400000004322e3530");
        assertThat(decoder.decode(message, 0, message.length)).isInstanceOfSatisfying(Insert.class, insert -> {
            assertThat(insert.relationId()).isEqualTo(RELATION);
            assertThat(insert.row()).satisfies(columns("1", "sad", "2.50"));
            assertThat(insert.row().buffer()).isSameAs(message);
            assertThat(insert.row().start(1)).isEqualTo(19);
            assertThat(insert.row().length(1)).isEqualTo(3);
        });
    }

    /** The frame of a replication message is 25 bytes: tuples must not be shifted by it. */
    @Test
    void readsAMessageInTheMiddleOfABuffer() {
        byte[] message = MessageBytes.hex("49000040374e000374000000022d316e7400000004322e3530");
        byte[] framed = new MessageBytes()
                .raw(new byte[25])
                .raw(message)
                .raw(new byte[3])
                .toArray();
        assertThat(decoder.decode(framed, 25, message.length))
                .isInstanceOfSatisfying(
                        Insert.class, insert -> assertThat(insert.row()).satisfies(columns("-1", "NULL", "2.50")));
    }

    @Test
    void keepsNullEmptyAndUnchangedApart() {
        var insert = MessageBytes.of('I').int32(1).int8('N').int16(3);
        insert.int8('n').int8('t').value("").int8('u');
        assertThat(decode(insert)).isInstanceOfSatisfying(Insert.class, message -> {
            assertThat(message.row().kind(0)).isEqualTo(ColumnKind.NULL);
            assertThat(message.row().kind(1)).isEqualTo(ColumnKind.TEXT);
            assertThat(message.row().length(1)).isZero();
            assertThat(message.row().kind(2)).isEqualTo(ColumnKind.UNCHANGED_TOAST);
        });
    }

    @Test
    void readsAnUpdateThatKeepsTheIdentity() {
        assertThat(decode("55000040374e000374000000013174000000037361646e"))
                .isInstanceOfSatisfying(Update.class, update -> {
                    assertThat(update.relationId()).isEqualTo(RELATION);
                    assertThat(update.before()).isEqualTo(new Absent());
                    assertThat(update.after()).satisfies(columns("1", "sad", "NULL"));
                });
    }

    @Test
    void readsAnUpdateOfTheIdentityWithItsKey() {
        assertThat(decode("55000040374b00037400000001316e6e4e000374000000013274000000037361646e"))
                .isInstanceOfSatisfying(Update.class, update -> {
                    assertThat(update.before())
                            .isInstanceOfSatisfying(
                                    PgOutputMessage.Key.class,
                                    key -> assertThat(key.columns()).satisfies(columns("1", "NULL", "NULL")));
                    assertThat(update.after()).satisfies(columns("2", "sad", "NULL"));
                });
    }

    @Test
    void readsAnUpdateWithTheWholeOldRow() {
        assertThat(decode("55000040374f000374000000022d316e7400000004322e3530"
                        + "4e000374000000022d316e7400000004312e3030"))
                .isInstanceOfSatisfying(Update.class, update -> {
                    assertThat(update.before())
                            .isInstanceOfSatisfying(
                                    FullRow.class,
                                    row -> assertThat(row.columns()).satisfies(columns("-1", "NULL", "2.50")));
                    assertThat(update.after()).satisfies(columns("-1", "NULL", "1.00"));
                });
    }

    /** What the server sends when a TOASTed identity column did not change: an old key, and none in the new row. */
    @Test
    void readsAnUnchangedIdentityColumn() {
        var update = MessageBytes.of('U').int32(1);
        update.int8('K').int16(2).int8('t').value("key").int8('n');
        update.int8('N').int16(2).int8('u').int8('t').value("b");
        assertThat(decode(update)).isInstanceOfSatisfying(Update.class, message -> {
            assertThat(message.before())
                    .isInstanceOfSatisfying(
                            PgOutputMessage.Key.class,
                            key -> assertThat(key.columns()).satisfies(columns("key", "NULL")));
            assertThat(message.after()).satisfies(columns("UNCHANGED_TOAST", "b"));
        });
    }

    @Test
    void readsADeleteByKeyAndByRow() {
        assertThat(decode("44000040374b00037400000001326e6e"))
                .isInstanceOfSatisfying(
                        Delete.class,
                        delete -> assertThat(delete.before())
                                .isInstanceOfSatisfying(
                                        PgOutputMessage.Key.class,
                                        key -> assertThat(key.columns()).satisfies(columns("2", "NULL", "NULL"))));
        assertThat(decode("44000040374f000374000000022d316e7400000004312e3030"))
                .isInstanceOfSatisfying(
                        Delete.class,
                        delete -> assertThat(delete.before())
                                .isInstanceOfSatisfying(
                                        FullRow.class,
                                        row -> assertThat(row.columns()).satisfies(columns("-1", "NULL", "1.00"))));
    }

    @Test
    void readsOneTruncateOfSeveralTables() {
        assertThat(decode("54000000010200004037")).isEqualTo(new Truncate(List.of(RELATION), false, true));
        assertThat(decode(MessageBytes.of('T').int32(2).int8(1).int32(7).int32(-1)))
                .isEqualTo(new Truncate(List.of(7, -1), true, false));
    }

    @Test
    void readsOriginsAndLogicalMessages() {
        assertThat(decode("4f0000000000abcdef757000")).isEqualTo(new Origin(Lsn.parse("0/ABCDEF"), "up"));
        assertThat(decode("4d01000000000159fef87072c3a9000000000568656c6c6f"))
                .isEqualTo(new LogicalMessage(true, Lsn.parse("0/159FEF8"), "pré", 5));
    }

    @Test
    void readsRowsOfATableWithoutColumns() {
        assertThat(decode(MessageBytes.of('I').int32(1).int8('N').int16(0)))
                .isInstanceOfSatisfying(
                        Insert.class, insert -> assertThat(insert.row().size()).isZero());
    }

    /** The promise to whoever forgets to ask for the kind: no bytes of an earlier row. */
    @Test
    void aTupleGivesNoBytesOfColumnsThatHaveNone() {
        var earlier = MessageBytes.of('I').int32(1).int8('N').int16(2);
        decode(earlier.int8('t').value("secret").int8('t').value("secret"));
        assertThat(decode(MessageBytes.of('I').int32(1).int8('N').int16(1).int8('n')))
                .isInstanceOfSatisfying(Insert.class, insert -> {
                    assertThatIllegalStateException()
                            .isThrownBy(() -> insert.row().start(0));
                    assertThatIllegalStateException()
                            .isThrownBy(() -> insert.row().length(0));
                    assertThatThrownBy(() -> insert.row().kind(1)).isInstanceOf(IndexOutOfBoundsException.class);
                });
    }

    @Test
    void printsIdsUnsignedAndNoValues() {
        var insert = MessageBytes.of('I').int32(-1).int8('N').int16(1).int8('t').value("secret");
        assertThat(decode(insert)).hasToString("Insert[relationId=4294967295, row=1 columns]");
        assertThat(new Truncate(List.of(-2), false, false))
                .hasToString("Truncate[relationIds=[4294967294], cascade=false, restartIdentity=false]");
        assertThat(new PgOutputMessage.Type(-1, "s", "t")).hasToString("Type[typeOid=4294967295, schema=s, name=t]");
        assertThat(new Column("c", -1, -1, true))
                .hasToString("Column[name=c, typeOid=4294967295, typeModifier=-1, partOfIdentity=true]");
    }

    @ParameterizedTest(name = "{2} at {1}")
    @CsvSource({
        "'', 0, a message kind",
        "58, 0, a protocol 1 message kind",
        "53 00000001 01, 0, 'a protocol 1 message, not one of a streamed transaction'",
        "45, 0, 'a protocol 1 message, not one of a streamed transaction'",
        "62 00, 0, 'a protocol 1 message, not one of a prepared transaction'",
        "42 0000000000000000 0000000000000000 00000000, 1, a commit LSN other than 0/0",
        "43 01 0000000000000001 0000000000000002 0000000000000000, 1, commit flags 0",
        "43 00 0000000000000002 0000000000000002 0000000000000000, 10, an end LSN after the commit LSN",
        "49 00000001 4f 0000, 5, 'N' before the new tuple",
        "49 00000001 4e ffff, 6, a number of columns that fits the tuple",
        "49 00000001 4e 0002 6e, 6, a number of columns that fits the tuple",
        "49 00000001 4e 0001 62 00000001 31, 8, '''n'', ''u'' or ''t'' before a value of the new tuple'",
        "49 00000001 4e 0001 74 ffffffff 31, 9, the length of a value within the message",
        "49 00000001 4e 0001 74 00000002 31, 9, the length of a value within the message",
        "49 00000001 4e 0001 6e 00, 9, the end of the message",
        "55 00000001 58 0000, 5, '''K'', ''O'' or ''N'' before a tuple'",
        "55 00000001 4b 0001 75 4e 0001 6e, 8, '''n'' or ''t'' before a value of the old tuple'",
        "55 00000001 4b 0001 6e 4b 0001 6e, 9, 'N' before the new tuple",
        "55 00000001 4b 0001 6e 4e 0002 6e6e, 9, a new tuple with as many columns as the old one",
        "44 00000001 4e 0001 6e, 5, 'K' or 'O' before the old tuple",
        "52 00000001 73 00 74, 7, a relation name",
        "52 00000001 ff 00 74 00 64 0000, 5, a schema name",
        "52 00000001 73 00 74 00 78 0000, 9, '''d'', ''n'', ''f'' or ''i'''",
        "52 00000001 73 00 74 00 64 ffff, 10, a number of columns that fits the message",
        "52 00000001 73 00 74 00 64 0001 01 63 00 00000017 ffff, 10, a number of columns that fits the message",
        "52 00000001 73 00 74 00 64 0001 02 63 00 00000017 ffffffff, 12, column flags 0 or 1",
        "52 00000001 73 00 74 00 64 0001 01 c080 00 00000017 ffffffff, 13, a column name",
        "54 00000002 00 00000001, 1, a number of relations that fits the message",
        "54 ffffffff 00 00000001, 1, a number of relations that fits the message",
        "54 00000001 04 00000001, 5, truncate flags 0 to 3",
        "4d 02 0000000000000001 70 00 00000000, 1, message flags 0 or 1",
        "4d 00 0000000000000001 70 00 00000002 31, 12, the length of the content within the message",
        "4d 00 0000000000000001 70 00 80000000 31, 12, the length of the content within the message",
        "4f 0000000000000001 70, 9, an origin name"
    })
    void saysWhereAMessageIsMalformedAndWhatWasExpected(String digits, int offset, String expectation) {
        // the offset counts from the message, wherever that is in the buffer
        byte[] bytes = MessageBytes.hex(digits);
        byte[] framed = new MessageBytes().raw(new byte[25]).raw(bytes).toArray();
        assertThatExceptionOfType(MalformedMessage.class)
                .isThrownBy(() -> decoder.decode(framed, 25, bytes.length))
                .withMessageContaining(expectation)
                .satisfies(malformed -> assertThat(malformed.offset()).isEqualTo(offset));
    }

    /** Neither binary values nor later protocols were asked for; none of their kinds passes for one of ours. */
    @ParameterizedTest
    @ValueSource(chars = {'S', 'E', 'c', 'A', 'b', 'P', 'K', 'r', 'p'})
    void refusesMessagesOfLaterProtocolsByName(char kind) {
        assertThatExceptionOfType(MalformedMessage.class)
                .isThrownBy(() -> decode(MessageBytes.of(kind).raw(new byte[40])))
                .withMessageContaining("protocol 1 message, not one of a");
    }

    @Test
    void decodesOnAfterARefusal() {
        assertThatExceptionOfType(MalformedMessage.class).isThrownBy(() -> decode("49000040374e0003740000"));
        assertThat(decode("49000040374e000374000000013174000000037361647400000004322e3530"))
                .isInstanceOfSatisfying(
                        Insert.class, insert -> assertThat(insert.row()).satisfies(columns("1", "sad", "2.50")));
    }

    private PgOutputMessage decode(String hex) {
        byte[] message = MessageBytes.hex(hex);
        return decoder.decode(message, 0, message.length);
    }

    private PgOutputMessage decode(MessageBytes bytes) {
        byte[] message = bytes.toArray();
        return decoder.decode(message, 0, message.length);
    }

    /** Column by column the text, or the kind where there is none. */
    private static Consumer<Tuple> columns(String... expected) {
        return tuple -> {
            assertThat(tuple.size()).isEqualTo(expected.length);
            for (int column = 0; column < expected.length; column++) {
                ColumnKind kind = tuple.kind(column);
                assertThat(kind == ColumnKind.TEXT ? tuple.text(column) : kind.name())
                        .isEqualTo(expected[column]);
            }
        };
    }
}
