package tidemark.delivery;

import org.junit.jupiter.api.Tag;

@Tag("long")
class RoundTripIT extends RoundTripContract {
    @Override
    int values() {
        return 2000;
    }
}
