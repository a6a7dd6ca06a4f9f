package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidemark.sink.SinkFailure;

/** An answer is believed when it is whole, and never otherwise. */
class FelderaRowsTest {
    private static final ComparedTable KEYED = ComparedTable.of(new TableFixture("t")
            .both("id", 20, "BIGINT!")
            .both("v", TableFixture.TEXT, "VARCHAR")
            .key("id")
            .plan());

    private static final ComparedTable KEYLESS = ComparedTable.of(new TableFixture("t")
            .both("n", 20, "BIGINT")
            .both("v", TableFixture.TEXT, "VARCHAR")
            .plan());

    private static FelderaRows rows(ComparedTable table, String... answer) {
        Iterator<String> objects = Arrays.asList(answer).iterator();
        return new FelderaRows(
                table,
                () -> objects.hasNext()
                        ? Optional.of(objects.next().getBytes(StandardCharsets.UTF_8))
                        : Optional.empty(),
                () -> {});
    }

    private static long countOf(FelderaRows rows) {
        while (rows.advance()) assertThat(rows.isOver()).isFalse();
        assertThat(rows.isOver()).isTrue();
        return rows.count();
    }

    @Test
    void rowsComeWithTheirNumberFromOneRequest() {
        assertThat(KEYED.query().sql())
                .isEqualTo("select \"id\", \"v\", cast(null as bigint) as \"row count\" from \"t\""
                        + " union all select null as c0, null as c1, count(*) from \"t\""
                        + " order by \"row count\" nulls first, \"id\"");
        FelderaRows rows = rows(
                KEYED,
                "{\"id\":9,\"v\":\"a\",\"row count\":null}",
                "{\"id\":10,\"v\":null,\"row count\":null}",
                "{\"id\":null,\"v\":null,\"row count\":2}");
        assertThat(rows.advance()).isTrue();
        assertThat(KEYED.describeKey(rows.row())).isEqualTo("id=9");
        assertThat(rows.advance()).isTrue();
        assertThat(rows.advance()).isFalse();
        assertThat(rows.count()).isEqualTo(2);
        assertThat(countOf(rows(KEYED, "{\"id\":null,\"v\":null,\"row count\":0}")))
                .isZero();
    }

    @Test
    void theNumberHasANameOfItsOwn() {
        var table = ComparedTable.of(new TableFixture("t")
                .both("id", 20, "BIGINT!")
                .both("ROW COUNT", TableFixture.TEXT, "VARCHAR")
                .key("id")
                .plan());
        assertThat(table.query().sql()).contains("as \"row count_\" from");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"id\":1,\"v\":null,\"row count\":null}",
                "{\"id\":1,\"v\":null,\"row count\":null};{\"id\":null,\"v\":null,\"row count\":2}",
                "{\"id\":null,\"v\":null,\"row count\":1}",
                "{\"id\":null,\"v\":null,\"row count\":0};{\"id\":null,\"v\":null,\"row count\":0}",
                "{\"id\":null,\"v\":null,\"row count\":-1}",
                "{\"id\":null,\"v\":null,\"row count\":\"0\"}",
                "{\"id\":2,\"v\":null,\"row count\":null};{\"id\":1,\"v\":null,\"row count\":null};{\"id\":null,\"v\":null,\"row count\":2}",
                "{\"id\":1,\"v\":null,\"row count\":null};{\"id\":1,\"v\":null,\"row count\":null};{\"id\":null,\"v\":null,\"row count\":2}",
                "{\"id\":1,\"v\":null}",
                "{\"id\":1,\"row count\":null}",
                "{\"v\":null,\"id\":1,\"row count\":null}",
                "{\"id\":1,\"v\":2,\"row count\":null}",
                "{\"id\":1,\"v\":null,\"row count\":null,\"x\":1}",
                "{\"n\":0}",
                "[]"
            })
    void anAnswerThatIsNotWholeOrNotInOrderIsAFailure(String answer) {
        FelderaRows rows = answer.isEmpty() ? rows(KEYED) : rows(KEYED, answer.split(";", -1));
        assertThatThrownBy(() -> countOf(rows))
                .isInstanceOfSatisfying(
                        SinkFailure.class, failure -> assertThat(failure.kind()).isEqualTo(SinkFailure.Kind.PROTOCOL));
    }

    @Test
    void aTableWithoutKeyMayHaveARowTwiceButNotOutOfOrder() {
        String one = "{\"n\":1,\"v\":\"a\",\"row count\":null}";
        String two = "{\"n\":2,\"v\":\"a\",\"row count\":null}";
        String count = "{\"n\":null,\"v\":null,\"row count\":3}";
        assertThat(countOf(rows(KEYLESS, one, one, two, count))).isEqualTo(3);
        assertThatThrownBy(() -> countOf(rows(KEYLESS, one, two, one, count))).isInstanceOf(SinkFailure.class);
    }

    @Test
    void closingEndsTheQuery() {
        var closed = new AtomicBoolean();
        new FelderaRows(KEYED, Optional::empty, () -> closed.set(true)).close();
        assertThat(closed).isTrue();
    }
}
