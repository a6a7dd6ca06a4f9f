package tidemark.standin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class MapValuesTest {
    private static final SqlType TEXT = new SqlType.Characters(false, OptionalInt.empty());

    @Test
    void entriesComeBackByKeyAndOfEqualKeysTheLast() {
        assertThat(stored("{\"b\":\"1\",\"\":null,\"a\":\"2\",\"b\":\"3\"}"))
                .isEqualTo("{\"\":null,\"a\":\"2\",\"b\":\"3\"}");
        assertThat(stored("{}")).isEqualTo("{}");
    }

    private static String stored(String json) {
        var type = new SqlType.Mapping(new SqlType.Nullable(TEXT, false), new SqlType.Nullable(TEXT, true));
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        var out = new ByteWriter(16);
        ValueCodec.of(new SqlType.Nullable(type, false)).transcode(new JsonCursor(text, 0, text.length), out);
        return new String(out.copy(), StandardCharsets.UTF_8);
    }
}
