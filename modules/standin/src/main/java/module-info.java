/** An in-memory Feldera over HTTP, for tests and the demo. */
module tidemark.standin {
    requires io.helidon.webserver;
    requires jakarta.json;

    exports tidemark.standin;
}
