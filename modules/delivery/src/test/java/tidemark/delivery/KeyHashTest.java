package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static tidemark.delivery.HandMadeTuple.row;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a person pastes into SQL to find the row that a log line means. */
class KeyHashTest {
    /** {@code SELECT left(md5('7'), 8)} and {@code left(md5(concat_ws(',', 1, 'x')), 8)}. */
    @Test
    void itIsWhatPostgresMakesOfTheKey() {
        assertThat(new KeyHash(List.of(1)).of(row("secret", "7"))).isEqualTo("8f14e45f");
        assertThat(new KeyHash(List.of(2, 0)).of(row("x", "secret", "1"))).isEqualTo("17619d77");
    }

    @Test
    void aRowWithoutKeyHasNone() {
        assertThat(new KeyHash(List.of()).of(row("1"))).isEqualTo("none");
        assertThat(new KeyHash(List.of(0)).of(row(HandMadeTuple.NULL))).isEqualTo("none");
    }
}
