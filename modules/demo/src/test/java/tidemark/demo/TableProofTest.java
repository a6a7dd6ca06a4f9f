package tidemark.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TableProofTest {
    private static final ComparedTable TABLE = ComparedTable.of(
            "public.items",
            List.of(
                    new SourceDatabase.Column("sku", "text"),
                    new SourceDatabase.Column("line", "integer"),
                    new SourceDatabase.Column("price", "numeric"),
                    new SourceDatabase.Column("secret", "text")),
            new Pipeline.Table(
                    "lineitems",
                    List.of(
                            new Pipeline.Column("line", "INTEGER", 38, 0),
                            new Pipeline.Column("sku", "VARCHAR", 38, 0),
                            new Pipeline.Column("price", "DECIMAL", 6, 2),
                            new Pipeline.Column("added", "TIMESTAMP", 38, 0),
                            new Pipeline.Column("tags", "MAP", 38, 0)),
                    List.of("sku", "line")));

    @Test
    void readsBothSidesInTheOrderOfFelderasKeyByBytes() {
        assertThat(TABLE.postgresQuery())
                .isEqualTo("SELECT \"line\", \"sku\", \"price\", NULL FROM \"public\".\"items\""
                        + " ORDER BY \"sku\"::text COLLATE \"C\", \"line\"");
        assertThat(TABLE.felderaQuery())
                .isEqualTo(
                        "select \"line\", \"sku\", \"price\", \"added\" from \"lineitems\" order by \"sku\", \"line\"");
    }

    @Test
    void saysWhichColumnsItKnowsNothingAbout() {
        assertThat(proof(Stream.of(), Stream.of()).notCompared())
                .containsExactly("price (digits after the first 2)", "tags (MAP)", "secret (not in Feldera)");
    }

    @Test
    void equalStreamsAreEqual() {
        TableProof proof = proof(
                Stream.of(row("a", 1, "1.50"), row("b", 9, "2"), row("b", 10, "3")),
                Stream.of(row("a", 1, "1.5"), row("b", 9, "2.00"), row("b", 10, "3")));
        assertThat(proof.isEqual()).isTrue();
        assertThat(proof.postgresRows()).isEqualTo(3);
        assertThat(proof.felderaRows()).isEqualTo(3);
    }

    @Test
    void aMissingALeftOverAndAnUnlikeRowAreEachNamedByKeyWithoutValues() {
        TableProof proof = proof(
                Stream.of(row("a", 1, "111"), row("b", 1, "222"), row("d", 1, "333")),
                Stream.of(row("b", 1, "777"), row("c", 1, "888"), row("d", 1, "333")));
        assertThat(proof.differences()).isEqualTo(3);
        assertThat(proof.examples())
                .containsExactly(
                        "missing in Feldera: sku=a, line=1",
                        "sku=b, line=1: differs in price",
                        "only in Feldera: sku=c, line=1");
    }

    @Test
    void aColumnThatPostgresqlDoesNotHaveMustBeNullInFeldera() {
        List<Cell> withTime = List.of(
                ValueKind.NUMBER.ofFeldera("1"),
                ValueKind.TEXT.ofFeldera("a"),
                ValueKind.NUMBER.ofFeldera("1"),
                ValueKind.TIMESTAMP.ofFeldera("2024-02-29T00:00:00"));
        assertThat(proof(Stream.of(row("a", 1, "1")), Stream.of(withTime)).examples())
                .containsExactly("sku=a, line=1: differs in added");
    }

    @Test
    void anEmptySideDiffersInEveryRowAndOnlyTheFirstFewAreNamed() {
        TableProof proof = proof(IntStream.range(0, 25).mapToObj(i -> row("a", i, "1")), Stream.of());
        assertThat(proof.differences()).isEqualTo(25);
        assertThat(proof.examples()).hasSize(TableProof.EXAMPLES_MAX);
        assertThat(proof(Stream.of(), Stream.of(row("a", 1, "1"))).isEqual()).isFalse();
    }

    /** A merge of streams that are not sorted alike could call anything different, or nothing. */
    @Test
    void aSideThatIsNotInKeyOrderProvesNothing() {
        var sorted = List.of(row("a", 1, "1"), row("b", 1, "1"));
        assertThatThrownBy(() -> proof(sorted.stream(), sorted.reversed().stream()))
                .isInstanceOf(DemoFailure.class)
                .hasMessageContaining("Feldera does not return public.items in key order");
        assertThatThrownBy(() -> proof(Stream.of(row("a", 1, "1"), row("a", 1, "1")), sorted.stream()))
                .as("the same key twice")
                .isInstanceOf(DemoFailure.class);
    }

    @Test
    void aTableWithoutAKeyIsRefusedByName() {
        var keyless = new Pipeline.Table("t", List.of(new Pipeline.Column("a", "INTEGER", 38, 0)), List.of());
        assertThatThrownBy(
                        () -> ComparedTable.of("public.t", List.of(new SourceDatabase.Column("a", "integer")), keyless))
                .hasMessageContaining("public.t");
    }

    /** The stated policy: cut beyond the scale, null beyond the precision. */
    @Test
    void aNumericIsComparedAsTheDecimalColumnCanHoldIt() {
        DecimalBounds bounds = new DecimalBounds(5, 2);
        assertThat(bounds.asStored(new Cell.Value("-1.239"))).isEqualTo(new Cell.Value("-1.23"));
        assertThat(bounds.asStored(new Cell.Value("999.99"))).isEqualTo(new Cell.Value("999.99"));
        assertThat(bounds.asStored(new Cell.Value("1E+2"))).isEqualTo(new Cell.Value("100"));
        assertThat(bounds.asStored(new Cell.Value("1E+3"))).isEqualTo(new Cell.Unrepresentable());
        assertThat(bounds.asStored(new Cell.Value("0"))).isEqualTo(new Cell.Value("0"));
        assertThat(bounds.keepsDigitsOf("numeric(12,2)")).isTrue();
        assertThat(bounds.keepsDigitsOf("numeric(12,3)")).isFalse();
        assertThat(bounds.keepsDigitsOf("numeric")).isFalse();
        assertThat(bounds.keepsDigitsOf("bigint")).isTrue();
    }

    @Test
    void copyTextIsReadBackAsItWasWritten() {
        assertThat(PostgresRows.parse("7\ta\\tb\\\\n\\n\t\\N\t\\N", TABLE.columns()))
                .containsExactly(new Cell.Value("7"), new Cell.Value("a\tb\\n\n"), new Cell.Null(), new Cell.Null());
        assertThat(PostgresRows.parse("7\t\t1\t\\N", TABLE.columns()).get(1)).isEqualTo(new Cell.Value(""));
    }

    private static TableProof proof(Stream<List<Cell>> postgres, Stream<List<Cell>> feldera) {
        return TableProof.of(TABLE, postgres.iterator(), feldera.iterator());
    }

    private static List<Cell> row(String sku, int line, String price) {
        return List.of(
                ValueKind.NUMBER.ofFeldera(Integer.toString(line)),
                ValueKind.TEXT.ofFeldera(sku),
                ValueKind.NUMBER.ofFeldera(price),
                new Cell.Null());
    }
}
