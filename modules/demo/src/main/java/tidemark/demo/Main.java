package tidemark.demo;

/** The demo's command line. */
public final class Main {
    private Main() {}
}
