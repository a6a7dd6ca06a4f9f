package tidemark.bench;

/** The bench's command line. */
public final class Main {
    private Main() {}
}
