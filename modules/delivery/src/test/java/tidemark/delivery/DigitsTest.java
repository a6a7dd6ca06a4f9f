package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidemark.delivery.ComparableForm.Wording;

/**
 * Where {@code %d} prints other digits than 0 to 9, numbers that a machine reads or compares are written with these.
 */
class DigitsTest {
    private static final int DOUBLES = 2_000;

    private final Locale before = Locale.getDefault();

    @AfterEach
    void home() {
        Locale.setDefault(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fa-IR", "ar-EG", "bn-BD", "ne-NP", "mr-IN", "my-MM"})
    void numbersOfMachinesHaveTheDigitsOfMachines(String locale) {
        Locale.setDefault(Locale.forLanguageTag(locale));
        assertThat("%d".formatted(1)).as("the test is about something").isNotEqualTo("1");

        assertThat(variant("12")).isEqualTo(variant("12.0")).isNotEqualTo(variant("34"));
        assertThat(variant("-5")).isNotEqualTo(variant("-6"));

        var table = new TableFixture("t").both("id", 20, "BIGINT").key("id").both("v", TableFixture.TEXT, "VARCHAR");
        assertThat(ComparedTable.of(table.plan()).query().sql()).contains("null as c0, null as c1");

        var random = new SplittableRandom(1);
        random.longs(DOUBLES)
                .mapToDouble(Double::longBitsToDouble)
                .filter(Double::isFinite)
                .mapToObj(value -> Double.toString(FelderaNumber.read(Double.toString(value))))
                .filter(printed -> !printed.equals("Infinity") && !printed.equals("-Infinity"))
                .forEach(printed -> assertThat(FelderaNumber.spelling(printed, false))
                        .hasValueSatisfying(spelling -> assertThat(spelling).matches("[-+.eE0-9]+")));
    }

    private static byte[] variant(String json) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        var cursor = new JsonCursor();
        cursor.read(text, 0, text.length);
        var out = new ComparableBytes();
        new VariantForm().put(cursor, Wording.INGRESS, out);
        return out.copy();
    }
}
