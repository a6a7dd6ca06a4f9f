package tidemark.delivery;

/**
 * Something about the two ends that a person should know before rows move: one line of what, why and remedy. Never a
 * value.
 *
 * @param what the table, column or publication concerned
 */
public record Finding(String what, String why, String remedy) {
    @Override
    public String toString() {
        return what + ": " + why + "; " + remedy;
    }
}
