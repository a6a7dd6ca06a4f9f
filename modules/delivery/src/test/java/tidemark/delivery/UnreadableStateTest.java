package tidemark.delivery;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person may still be able to restore is not written over, and never taken for no state at all. */
class UnreadableStateTest extends StartTableCase {
    @ParameterizedTest
    @ValueSource(strings = {"is damaged", "has version 99; this Tidemark knows up to"})
    void isRefusedAndLeftAsItIs(String why) {
        settled();
        String whole = state();
        writeState(
                why.equals("is damaged")
                        ? whole.substring(0, whole.length() / 2)
                        : whole.replace("\"version\":" + StateFile.VERSION, "\"version\":99"));
        refused("the state file", why);
        replica.with(settings -> settings);
        refusedAsItIs("the state file", why);
        writeState(whole);
        mended();
    }
}
