package tidemark.standin;

/** An in-memory Feldera over HTTP. */
public final class FelderaStandin {
    private FelderaStandin() {}
}
