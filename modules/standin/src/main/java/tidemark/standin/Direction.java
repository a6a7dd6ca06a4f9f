package tidemark.standin;

/** Which way bytes go through a proxy. */
public enum Direction {
    /** What the client sends. */
    TO_SERVER,
    /** What the server sends. */
    TO_CLIENT
}
