package tidemark.delivery;

import tidemark.sink.FelderaName;

/** What stands in a row that was read back is not what its column's type can have. Says what, and never the value. */
final class UnreadableValue extends RuntimeException {
    private final String what;

    UnreadableValue(String expected) {
        this.what = "expected " + expected;
    }

    UnreadableValue(FelderaName column, UnreadableValue why) {
        super(why);
        this.what = "column %s: %s".formatted(column, why.what);
    }

    @Override
    public String getMessage() {
        return what;
    }

    String what() {
        return what;
    }
}
