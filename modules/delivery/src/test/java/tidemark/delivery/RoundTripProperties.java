package tidemark.delivery;

class RoundTripProperties extends RoundTripContract {
    /** With the edges of every type among them. */
    @Override
    int values() {
        return 50;
    }
}
