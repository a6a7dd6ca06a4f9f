package tidemark.app;

/** The command line. */
public final class Main {
    private Main() {}
}
