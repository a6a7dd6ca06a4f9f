package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a test of {@link RowEncoder} writes into, and how it looks at it. */
class EncodedRows {
    static final int INT4 = 23;
    static final int TEXT = TableFixture.TEXT;
    static final int DATE = 1082;
    static final String SECRET = "se-cret";

    final RowBytes out = new RowBytes(0);

    static TableFixture users() {
        return new TableFixture("users")
                .both("id", INT4, "INTEGER!")
                .both("name", TEXT, "VARCHAR")
                .both("born", DATE, "DATE")
                .key("id");
    }

    /** By name, with a remedy, without a value, and with the body as it was. */
    void assertRefused(ThrowingCallable refused, String... parts) {
        String before = body();
        int operations = out.operations();
        var refusal = catchThrowableOfType(RowRefused.class, refused);
        assertThat(refusal)
                .hasMessageContainingAll(parts)
                .hasMessageContaining("public.")
                .message()
                .doesNotContain(SECRET, "2147483999", "ffff");
        assertThat(refusal.remedy()).isNotBlank();
        assertThat(body()).isEqualTo(before);
        assertThat(out.operations()).isEqualTo(operations);
    }

    String body() {
        return RowBytesTest.text(out);
    }
}
