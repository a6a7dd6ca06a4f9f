package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static tidemark.delivery.HandMadeTuple.NULL;
import static tidemark.delivery.HandMadeTuple.UNCHANGED;
import static tidemark.delivery.HandMadeTuple.row;

import java.util.List;
import org.junit.jupiter.api.Test;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.PgOutputMessage.Absent;
import tidemark.decode.PgOutputMessage.FullRow;
import tidemark.decode.PgOutputMessage.Relation;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.Unrepresentable;
import tidemark.delivery.ReplicationState.Stand;
import tidemark.replication.TypeShape;

class RowEncoderTest extends EncodedRows {
    private static final int INT8 = 20;
    private static final int BYTEA = 17;

    @Test
    void anInsertCarriesEveryColumnOfFeldera() {
        assertThat(users().streamEncoder().insert(row("1", "Zoë \"Z\"", NULL), out))
                .isEqualTo(1);
        assertThat(body()).isEqualTo("[{\"insert\":{\"id\":1,\"name\":\"Zoë \\\"Z\\\"\",\"born\":null}}]");
    }

    @Test
    void aDeleteNamesTheKeyAndNothingElse() {
        var encoder = users().streamEncoder();
        assertThat(encoder.delete(new PgOutputMessage.Key(row("1", NULL, NULL)), out))
                .isEqualTo(1);
        assertThat(encoder.delete(new FullRow(row("2", "x", NULL)), out)).isEqualTo(1);
        assertThat(body()).isEqualTo("[{\"delete\":{\"id\":1}},{\"delete\":{\"id\":2}}]");
    }

    @Test
    void anUpdateThatLeavesTheKeyAloneIsOneInsert() {
        var encoder = users().identity(ReplicaIdentity.FULL).streamEncoder();
        assertThat(encoder.update(new Absent(), row("1", "a", NULL), out)).isEqualTo(1);
        assertThat(encoder.update(new FullRow(row("1", "a", NULL)), row("1", "b", NULL), out))
                .isEqualTo(1);
        assertThat(body())
                .isEqualTo("[{\"insert\":{\"id\":1,\"name\":\"a\",\"born\":null}},"
                        + "{\"insert\":{\"id\":1,\"name\":\"b\",\"born\":null}}]");
    }

    @Test
    void anUpdateOfTheKeyDeletesTheOldOneFirst() {
        var encoder = users().streamEncoder();
        assertThat(encoder.update(new PgOutputMessage.Key(row("1", NULL, NULL)), row("2", "b", NULL), out))
                .isEqualTo(2);
        assertThat(body()).isEqualTo("[{\"delete\":{\"id\":1}},{\"insert\":{\"id\":2,\"name\":\"b\",\"born\":null}}]");
        assertThat(out.operations()).isEqualTo(2);
    }

    /** The identity may be wider than Feldera's key: a change beside the key is no change of the key. */
    @Test
    void anOldImageWhoseFelderaKeyIsTheSameDeletesNothing() {
        var encoder = new TableFixture("t")
                .both("id", INT4, "INTEGER!")
                .both("id2", INT4, "INTEGER!")
                .key("id")
                .streamEncoder();
        assertThat(encoder.update(new PgOutputMessage.Key(row("1", "1")), row("1", "2"), out))
                .isEqualTo(1);
        assertThat(encoder.update(new PgOutputMessage.Key(row("1", "2")), row("11", "2"), out))
                .isEqualTo(2);
    }

    @Test
    void aKeylessTableIsToldWholeRows() {
        var encoder = new TableFixture("log")
                .both("id", INT4, "INTEGER")
                .both("line", TEXT, "VARCHAR")
                .target("level", "INTEGER")
                .identity(ReplicaIdentity.FULL)
                .streamEncoder();
        assertThat(encoder.update(new FullRow(row("1", "a")), row("1", "b"), out))
                .isEqualTo(2);
        assertThat(encoder.delete(new FullRow(row("1", "b")), out)).isEqualTo(1);
        assertThat(body())
                .isEqualTo("[{\"delete\":{\"id\":1,\"line\":\"a\",\"level\":null}},"
                        + "{\"insert\":{\"id\":1,\"line\":\"b\",\"level\":null}},"
                        + "{\"delete\":{\"id\":1,\"line\":\"b\",\"level\":null}}]");
    }

    @Test
    void aKeylessTableRefusesAChangeWithoutTheWholeOldRow() {
        var encoder = new TableFixture("log").both("id", INT4, "INTEGER").streamEncoder();
        assertRefused(() -> encoder.delete(new PgOutputMessage.Key(row("1")), out), "REPLICA IDENTITY FULL");
        assertRefused(() -> encoder.update(new Absent(), row("1"), out), "public.log", "no PRIMARY KEY");
        assertThat(encoder.insert(row("1"), out)).isEqualTo(1);
    }

    /** postgres.md: under USING INDEX an update of Feldera's key may send no old tuple at all. */
    @Test
    void aKeyOutsideTheIdentityRefusesUpdatesAndDeletesButNoInserts() {
        var encoder = new TableFixture("t")
                .both("id", INT4, "INTEGER!")
                .both("code", TEXT, "VARCHAR!")
                .key("code")
                .identity(ReplicaIdentity.INDEX)
                .streamEncoder();
        assertThat(encoder.insert(row("1", "a"), out)).isEqualTo(1);
        assertRefused(() -> encoder.update(new Absent(), row("1", "b"), out), "[code]", "REPLICA IDENTITY FULL");
        assertRefused(() -> encoder.update(new PgOutputMessage.Key(row("0", NULL)), row("1", "b"), out), "[code]");
        assertRefused(() -> encoder.delete(new PgOutputMessage.Key(row("1", NULL)), out), "[code]");
        assertThat(encoder.delete(new FullRow(row("1", "a")), out)).isEqualTo(1);
    }

    @Test
    void whatFelderaCannotHoldIsNullWhereThatIsAllowedAndCounted() {
        var policy = TableFixture.policy(Unrepresentable.NULL, 1 << 20);
        var encoder = TableFixture.streamEncoder(
                users().plan(), users().relation(), TableFixture::builtIn, policy, Stand.COPIED);
        encoder.insert(row("1", "a", "infinity"), out);
        encoder.insert(row("2", "a", "0044-03-15 BC"), out);
        assertThat(body())
                .contains("\"id\":1,\"name\":\"a\",\"born\":null")
                .contains("\"id\":2,\"name\":\"a\",\"born\":null");
        assertThat(policy.nulled().counts()).containsExactly(new NulledValues.Count("public.users", "born", 2));
    }

    @Test
    void whatFelderaCannotHoldStopsWhereThePolicyOrTheColumnSaysSo() {
        var failing = TableFixture.streamEncoder(
                users().plan(),
                users().relation(),
                TableFixture::builtIn,
                TableFixture.policy(Unrepresentable.FAIL, 1 << 20),
                Stand.COPIED);
        assertRefused(() -> failing.insert(row("1", SECRET, "infinity"), out), "column born", "values.unrepresentable");
        var notNull = new TableFixture("t")
                .both("id", INT4, "INTEGER!")
                .both("d", DATE, "DATE!")
                .key("id");
        assertRefused(() -> notNull.streamEncoder().insert(row("1", "infinity"), out), "column d", "NOT NULL");
        var key = new TableFixture("t").both("id", DATE, "DATE").key("id").streamEncoder();
        assertRefused(() -> key.insert(row("infinity"), out), "column id");
        assertRefused(() -> key.insert(row(NULL), out), "column id");
    }

    /** As a whole value does: by policy, and counted once however many parts of it there are. */
    @Test
    void aPartThatFelderaCannotHoldIsNullWhereThatIsAllowedAndCounted() {
        var element = new TypeShape.Scalar(DATE, "date", -1, "");
        var fixture = new TableFixture("t")
                .both("id", INT4, "INTEGER!")
                .source("days", 1182, new TypeShape.Array("date[]", element, ','))
                .target("days", "DATE ARRAY")
                .key("id");
        var policy = TableFixture.policy(Unrepresentable.NULL, 1 << 20);
        var encoder =
                TableFixture.streamEncoder(fixture.plan(), fixture.relation(), fixture::type, policy, Stand.COPIED);
        encoder.insert(row("1", "{2024-02-29,infinity,-infinity}"), out);
        assertThat(body()).contains("\"days\":[\"2024-02-29\",null,null]");
        assertThat(policy.nulled().counts()).containsExactly(new NulledValues.Count("public.t", "days", 1));
        var failing = TableFixture.streamEncoder(
                fixture.plan(),
                fixture.relation(),
                fixture::type,
                TableFixture.policy(Unrepresentable.FAIL, 1 << 20),
                Stand.COPIED);
        assertRefused(() -> failing.insert(row("1", "{infinity}"), out), "column days", "values.unrepresentable");
        var key = new TableFixture("t")
                .source("id", 1182, new TypeShape.Array("date[]", element, ','))
                .target("id", "DATE ARRAY!")
                .key("id");
        assertRefused(() -> key.streamEncoder().insert(row("{infinity}"), out), "column id");
    }

    /** A value that only a wider type let in is no matter of policy. */
    @Test
    void anIntegerOutOfRangeIsNeverNull() {
        var encoder = new TableFixture("t")
                .both("id", INT4, "INTEGER!")
                .both("n", INT8, "INTEGER")
                .key("id")
                .streamEncoder();
        assertThat(encoder.insert(row("1", "2147483647"), out)).isEqualTo(1);
        assertRefused(() -> encoder.insert(row("1", "2147483999"), out), "column n", "public.t");
    }

    @Test
    void aRefusedRowLeavesNoTraceNotEvenOfItsDelete() {
        var encoder = users().streamEncoder();
        encoder.insert(row("1", "a", NULL), out);
        String before = body();
        assertRefused(
                () -> encoder.update(new PgOutputMessage.Key(row("1", NULL, NULL)), row("2", UNCHANGED, SECRET), out),
                "column name");
        assertThat(body()).isEqualTo(before);
        assertThat(out.operations()).isEqualTo(1);
    }

    @Test
    void aRowOfTooManyBytesIsRefusedWithItsSize() {
        var fixture = new TableFixture("t")
                .both("id", INT4, "INTEGER!")
                .both("b", BYTEA, "VARBINARY")
                .key("id");
        var encoder = TableFixture.streamEncoder(
                fixture.plan(),
                fixture.relation(),
                TableFixture::builtIn,
                TableFixture.policy(Unrepresentable.NULL, 100),
                Stand.COPIED);
        assertThat(encoder.insert(row("1", "\\x" + "00".repeat(30)), out)).isEqualTo(1);
        assertRefused(() -> encoder.insert(row("1", "\\x" + "ff".repeat(30)), out), "column b", "100 bytes", "144");
        assertRefused(() -> encoder.insert(row("1", "\\x" + "00".repeat(60)), out), "column b", "100 bytes", "122");
    }

    @Test
    void copyAndStreamWriteTheSameBytesWhateverTheOrderOfColumns() {
        var fixture = users();
        fixture.copyEncoder().insert(row("1", "a", "2024-01-02"), out);
        String copied = body();
        out.clear();
        var reordered = new Relation(
                7,
                new RelationName("public", "users"),
                ReplicaIdentity.DEFAULT,
                List.of(
                        new PgOutputMessage.Column("born", DATE, -1, false),
                        new PgOutputMessage.Column("added", 16999, -1, false),
                        new PgOutputMessage.Column("name", TEXT, -1, false),
                        new PgOutputMessage.Column("id", INT4, -1, true)));
        TableFixture.streamEncoder(
                        fixture.plan(),
                        reordered,
                        TableFixture::builtIn,
                        TableFixture.policy(Unrepresentable.NULL, 1 << 20),
                        Stand.COPIED)
                .insert(row("2024-01-02", "x", "a", "1"), out);
        assertThat(body()).isEqualTo(copied);
    }

    @Test
    void aRelationThatLostARequiredColumnIsRefusedByName() {
        assertRefusedRelation(List.of(new PgOutputMessage.Column("name", TEXT, -1, false)), "column id");
    }

    /** A nullable column that PostgreSQL dropped is null from then on. */
    @Test
    void aRelationThatLostANullableColumnSendsNull() {
        var relation = new Relation(
                7,
                new RelationName("public", "users"),
                ReplicaIdentity.DEFAULT,
                List.of(new PgOutputMessage.Column("id", INT4, -1, true)));
        TableFixture.streamEncoder(
                        users().plan(),
                        relation,
                        TableFixture::builtIn,
                        TableFixture.policy(Unrepresentable.NULL, 1 << 20),
                        Stand.COPIED)
                .insert(row("1"), out);
        assertThat(body()).isEqualTo("[{\"insert\":{\"id\":1,\"name\":null,\"born\":null}}]");
    }

    @Test
    void aRelationWithATypeThatDoesNotGoIsRefusedByName() {
        assertRefusedRelation(List.of(new PgOutputMessage.Column("id", TEXT, -1, true)), "column id", "INTEGER");
    }

    @Test
    void aRelationWithTwoColumnsOfOneNameIsRefusedByBoth() {
        assertRefusedRelation(
                List.of(
                        new PgOutputMessage.Column("id", INT4, -1, true),
                        new PgOutputMessage.Column("name", TEXT, -1, false),
                        new PgOutputMessage.Column("Name", TEXT, -1, false)),
                "name, \"Name\"");
    }

    @Test
    void aDomainIsItsBaseTypeAndAnUnknownTypeIsText() {
        var fixture = new TableFixture("t")
                .both("id", INT4, "INTEGER!")
                .domain("price", 17000, 1700)
                .target("price", "DECIMAL(10,2)")
                .both("mood", 17001, "VARCHAR")
                .key("id");
        fixture.streamEncoder().insert(row("1", "12.50", "happy"), out);
        fixture.copyEncoder().insert(row("1", "12.50", "happy"), out);
        assertThat(body())
                .isEqualTo("[{\"insert\":{\"id\":1,\"price\":\"12.50\",\"mood\":\"happy\"}},"
                        + "{\"insert\":{\"id\":1,\"price\":\"12.50\",\"mood\":\"happy\"}}]");
    }

    @Test
    void columnNamesHaveOneSpellingAndAreEscaped() {
        var encoder = new TableFixture("t")
                .source("Id", INT4)
                .source("a\"b", INT4)
                .source("sp ace", TEXT)
                .target("\"Id\"", "INTEGER!")
                .target("\"a\"b\"", "INTEGER")
                .target("SP ACE", "VARCHAR")
                .key("Id")
                .copyEncoder();
        encoder.insert(row("1", "2", "x"), out);
        assertThat(body()).isEqualTo("[{\"insert\":{\"Id\":1,\"a\\\"b\":2,\"sp ace\":\"x\"}}]");
    }

    @Test
    void aRowThatIsNotAsWideAsItsRelationIsRefused() {
        assertRefused(() -> users().streamEncoder().insert(row("1", "a"), out), "2 columns");
    }

    private static void assertRefusedRelation(List<PgOutputMessage.Column> columns, String... parts) {
        var relation = new Relation(7, new RelationName("public", "users"), ReplicaIdentity.DEFAULT, columns);
        assertThatThrownBy(() -> TableFixture.streamEncoder(
                        users().plan(),
                        relation,
                        TableFixture::builtIn,
                        TableFixture.policy(Unrepresentable.NULL, 1 << 20),
                        Stand.COPIED))
                .isInstanceOf(RowRefused.class)
                .hasMessageContaining("public.users")
                .hasMessageContainingAll(parts);
    }
}
