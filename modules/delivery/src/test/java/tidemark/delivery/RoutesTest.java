package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tidemark.decode.RelationName;
import tidemark.sink.FelderaName;

class RoutesTest {
    @Test
    void aBareNameIsInPublicAndKeepsItsName() {
        assertThat(Routes.parse("users,items"))
                .containsExactly(
                        route("public", "users", new FelderaName("users", false)),
                        route("public", "items", new FelderaName("items", false)));
    }

    @Test
    void unquotedNamesAreFoldedAtBothEnds() {
        assertThat(Routes.parse("users:USERS, Public.Items:LineItems"))
                .containsExactly(
                        route("public", "users", new FelderaName("users", false)),
                        route("public", "items", new FelderaName("lineitems", false)));
    }

    @Test
    void quotedNamesAreExactAndHoldAnything() {
        assertThat(Routes.parse("\"My Schema\".\"order.items, a:b\":\"F\"\"oo\""))
                .containsExactly(route("My Schema", "order.items, a:b", new FelderaName("F\"oo", true)));
    }

    @Test
    void withoutAFelderaNameAQuotedTableStaysExact() {
        assertThat(Routes.parse("\"Users\"")).containsExactly(route("public", "Users", new FelderaName("Users", true)));
    }

    @Test
    void foldingLeavesLettersBeyondAsciiAlone() {
        assertThat(Routes.parse("ÉTÉ").getFirst().postgres()).isEqualTo(new RelationName("public", "ÉtÉ"));
    }

    @Test
    void whiteSpaceBetweenThePartsMeansNothing() {
        assertThat(Routes.parse(" a . b : c ,\n d "))
                .containsExactly(
                        route("a", "b", new FelderaName("c", false)),
                        route("public", "d", new FelderaName("d", false)));
    }

    @Test
    void blankTextHasNoRoutes() {
        assertThat(Routes.parse(" ")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "users,       | character 7: expected a table name",
                "users,,items | character 7: expected a table name",
                "a.b.c        | character 4: expected at most one dot",
                "a:b.c        | character 4: expected a Feldera table name without a schema",
                "a:           | character 3: expected a Feldera table name",
                "a b          | character 3: expected a comma before the next table, found 'b'",
                "my-table     | character 3: expected a comma before the next table, found '-'",
                "1st          | character 1: expected a table name",
                "users,\"it   | character 7: the quote that begins here is never closed",
                "\"\"         | character 1: a name cannot be empty",
                "a:b:c        | character 4: expected a comma before the next table, found ':'"
            })
    void mistakesAreNamedWithTheirPosition(String text, String message) {
        assertThatThrownBy(() -> Routes.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private static TableRoute route(String schema, String table, FelderaName feldera) {
        return new TableRoute(new RelationName(schema, table), feldera);
    }
}
