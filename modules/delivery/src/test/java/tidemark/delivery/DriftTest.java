package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tidemark.replication.TableEdition;
import tidemark.replication.TableEdition.Column;
import tidemark.replication.TableEdition.Store;

/** Between two editions of one table: what Feldera may lack, or keep. Nothing else counts. */
class DriftTest {
    private static final int OID = 16400;
    private static final int INT4 = 23;
    private static final int INT8 = 20;
    private static final Store ITSELF = new Store(OID, "t", "", 1, false);

    private final TablePlan plan = new TableFixture("t")
            .both("id", INT4, "INTEGER!")
            .target("a", "INTEGER")
            .target("\"B\"", "INTEGER")
            .key("id")
            .plan();

    private static TableEdition edition(List<Store> stores, Column... columns) {
        return new TableEdition(
                new tidemark.decode.RelationName("public", "t"),
                OID,
                Optional.of("m"),
                List.of(columns),
                stores,
                List.of());
    }

    private static Column column(int number, String name) {
        return new Column(number, name, INT4, -1, false, List.of(), List.of(), MADE);
    }

    private static final Optional<Long> MADE = Optional.of(700L);
    private static final Column ID = column(1, "id");

    private String found(TableEdition read, TableEdition now) {
        return String.join(
                "\n",
                Drift.between(plan, new EditionRead(read, List.of(), List.of()), Optional.of(now)).stream()
                        .map(drift -> drift.kind() + " " + drift.finding())
                        .toList());
    }

    private String columns(Column read, Column now, long file) {
        return found(
                edition(List.of(ITSELF), ID, read), edition(List.of(new Store(OID, "t", "", file, false)), ID, now));
    }

    @Test
    void theSameEditionHasNoDrift() {
        TableEdition read = edition(List.of(ITSELF), ID, column(2, "a"));
        assertThat(found(read, read)).isEmpty();
    }

    /** TRUNCATE of a table is in the stream, and VACUUM FULL changes nothing. */
    @Test
    void aPlainTableThatWasRewrittenHasNoDrift() {
        assertThat(columns(column(2, "a"), column(2, "a"), 2)).isEmpty();
    }

    @Test
    void aColumnAddedWithoutValuesHasNoDrift() {
        assertThat(columns(column(9, "x"), column(2, "a"), 1)).isEmpty();
    }

    @Test
    void aColumnAddedWithValuesHas() {
        assertThat(columns(column(9, "x"), new Column(2, "a", INT4, -1, true, List.of(), List.of(), MADE), 1))
                .startsWith("COLUMNS public.t -> t column a: it was added with a DEFAULT");
        assertThat(columns(column(9, "x"), column(2, "a"), 2))
                .as("a volatile DEFAULT rewrites")
                .startsWith(
                        "COLUMNS public.t -> t column a: it was added with a DEFAULT, or the table rewritten since");
    }

    /** A field that is added has no values yet; one that is dropped or renamed is not to be seen in any row. */
    @Test
    void fieldsOfACompositeThatAreGoneHaveADrift() {
        assertThat(columns(composite("700.1.x"), composite("700.1.x", "700.2.y"), 1))
                .isEmpty();
        assertThat(columns(composite("700.1.x", "700.2.y"), composite("700.1.x", "700.3.y"), 1))
                .startsWith("COLUMNS public.t -> t column a: fields of its type were dropped or renamed");
        assertThat(columns(composite(), composite("700.1.x"), 1))
                .as("an older state")
                .isEmpty();
    }

    private static Column composite(String... fields) {
        return new Column(2, "a", INT4, -1, false, List.of(fields), List.of(), MADE);
    }

    @Test
    void aColumnThatFelderaLacksHasNoDrift() {
        assertThat(columns(column(9, "x"), new Column(2, "b", INT4, -1, true, List.of(), List.of(), MADE), 2))
                .as("Feldera has B")
                .isEmpty();
    }

    @Test
    void aColumnThatFilledOlderRowsBeforeTheyWereReadHasNoDrift() {
        Column filled = new Column(2, "a", INT4, -1, true, List.of(), List.of(), MADE);
        assertThat(columns(filled, filled, 1)).isEmpty();
    }

    @Test
    void aRenamedColumnHasDriftUnderItsNewName() {
        assertThat(columns(column(2, "x"), column(2, "a"), 1)).contains("column a: it was renamed, from x,");
        assertThat(columns(column(2, "a"), column(2, "x"), 1))
                .startsWith("COLUMNS public.t -> t column a: it was dropped, ren");
    }

    @Test
    void aColumnThatIsGoneKeepsOldValuesInFeldera() {
        assertThat(found(edition(List.of(ITSELF), ID, column(2, "a")), edition(List.of(ITSELF), ID)))
                .startsWith("COLUMNS public.t -> t column a: it was dropped, renamed or left out of the publication");
        assertThat(found(edition(List.of(ITSELF), ID, column(2, "x")), edition(List.of(ITSELF), ID)))
                .as("Feldera has none")
                .isEmpty();
    }

    @Test
    void aColumnDroppedAndAddedAgainKeepsOldValues() {
        assertThat(columns(column(2, "a"), column(3, "a"), 1)).contains("column a: it was dropped and added again");
    }

    @Test
    void anotherTypeIsDriftUnlessItPrintsAlike() {
        Column wider = new Column(2, "a", INT8, -1, false, List.of(), List.of(), MADE);
        assertThat(columns(column(2, "a"), wider, 1)).contains("column a: its type was changed, and a value");
        Column text = new Column(2, "a", 25, -1, false, List.of(), List.of(), MADE);
        Column varchar = new Column(2, "a", 1043, -1, false, List.of(), List.of(), MADE);
        Column domain = new Column(2, "a", 16_400, -1, false, List.of(), List.of(), MADE);
        assertThat(columns(text, varchar, 1)).isEmpty();
        assertThat(columns(column(2, "a"), domain, 1)).isEmpty();
        assertThat(columns(column(2, "a"), wider, 2)).contains("column a: its type was changed by rewriting the table");
    }

    /** ALTER COLUMN … TYPE of the same type does both; a mark alone is SET STATISTICS, a file alone VACUUM FULL. */
    @Test
    void aColumnThatWasAlteredIsDriftOnlyIfTheTableWasRewritten() {
        Column altered = new Column(2, "a", INT4, -1, false, List.of(), List.of(), Optional.of(701L));
        Column unknown = new Column(2, "a", INT4, -1, false, List.of(), List.of(), Optional.empty());
        assertThat(columns(column(2, "a"), altered, 1)).isEmpty();
        assertThat(columns(column(2, "a"), column(2, "a"), 2)).isEmpty();
        assertThat(columns(column(2, "a"), altered, 2))
                .startsWith("COLUMNS public.t -> t column a: it was altered and the table rewritten since");
        assertThat(columns(unknown, altered, 2)).as("an older state").isEmpty();
    }

    @Test
    void aLabelThatIsGoneHasADrift() {
        Column one = new Column(2, "a", INT4, -1, false, List.of(), List.of("9.x"), MADE);
        Column more = new Column(2, "a", INT4, -1, false, List.of(), List.of("9.x", "10.y"), MADE);
        assertThat(columns(one, more, 1)).isEmpty();
        assertThat(columns(more, one, 1)).startsWith("COLUMNS public.t -> t column a: labels of its enum were renamed");
    }

    /** An update names the new spelling of its key, and Feldera has the old one. */
    @Test
    void ofAKeyItSaysThatRowsMayBeThereTwice() {
        Column was = new Column(1, "id", INT4, -1, false, List.of(), List.of("9.a"), MADE);
        Column is = new Column(1, "id", INT4, -1, false, List.of(), List.of("9.z"), MADE);
        TableEdition read = edition(List.of(ITSELF), was);
        assertThat(found(read, edition(List.of(ITSELF), is)))
                .contains("labels of its enum were renamed", "under its old key, too");
        assertThat(columns(composite("20.1.x"), composite("20.1.y"), 1)).doesNotContain("old key");
    }

    @Test
    void aTableThatIsGoneOrAnotherHasNoOtherDrift() {
        TableEdition read = edition(List.of(ITSELF), ID);
        assertThat(Drift.between(plan, new EditionRead(read, List.of(), List.of()), Optional.empty()))
                .singleElement()
                .satisfies(drift -> assertThat(drift.kind()).isEqualTo(DriftKind.TABLE));
        var another = new TableEdition(
                read.name(), -2, Optional.empty(), List.of(), List.of(new Store(-2, "t", "", 1, false)), List.of());
        assertThat(found(read, another))
                .startsWith("TABLE ")
                .contains("oid 4294967294, not 16400")
                .doesNotContain("PUBLICATION");
    }

    @Test
    void manyPartitionsAreCountedAndTheFirstNamed() {
        List<Store> few = List.of(new Store(1, "p", "5.", 1, false));
        List<Store> many = Stream.concat(
                        few.stream(), IntStream.range(10, 40).mapToObj(i -> new Store(i, "P" + i, "7.", 1, true)))
                .toList();
        assertThat(found(edition(few, ID), edition(many, ID)))
                .startsWith("PARTITIONS public.t -> t: ")
                .contains("attached \"P10\", \"P11\"", "\"P19\" and 20 more, of whose rows");
        assertThat(found(edition(many, ID), edition(few, ID))).contains("detached or dropped \"P10\"");
    }

    /** It had no rows before it was there; what it got then is in the stream, and stays in Feldera when it goes. */
    @Test
    void aPartitionThatWasMadeAsOneIsDriftOnlyOnceItIsGone() {
        Store old = new Store(1, "p", "5.", 1, true);
        Store made = new Store(2, "q", "6.", 1, false);
        TableEdition before = edition(List.of(old), ID);
        TableEdition with = edition(List.of(old, made), ID);
        assertThat(found(before, with)).isEmpty();
        EditionRead seen = new EditionRead(before, List.of(), List.of()).seeing(with);
        assertThat(Drift.between(plan, seen, Optional.of(with))).isEmpty();
        assertThat(Drift.between(plan, seen, Optional.of(before)))
                .singleElement()
                .satisfies(drift -> assertThat(drift.finding().why()).contains("detached or dropped q"));
        Store truncated = new Store(2, "q", "6.", 2, false);
        assertThat(Drift.between(plan, seen, Optional.of(edition(List.of(old, truncated), ID))))
                .singleElement()
                .satisfies(drift -> assertThat(drift.kind()).isEqualTo(DriftKind.REWRITE));
    }

    /** What was attached and is gone again has left the rows that it was written meanwhile. */
    @Test
    void aPartitionThatCameAndWentIsStillDrift() {
        TableEdition before = edition(List.of(new Store(1, "p", "5.", 1, false)), ID);
        TableEdition with = edition(List.of(new Store(1, "p", "5.", 1, false), new Store(2, "q", "6.", 1, true)), ID);
        EditionRead seen = new EditionRead(before, List.of(), List.of()).seeing(with);
        assertThat(Drift.between(plan, seen, Optional.of(before)))
                .singleElement()
                .satisfies(drift -> assertThat(drift.finding().why()).contains("attached q", "detached or dropped q"));
    }
}
