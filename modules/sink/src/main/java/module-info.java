/** Feldera's HTTP API. Knows neither slots nor LSNs. */
module tidemark.sink {
    requires io.helidon.webclient;
    requires jakarta.json;
    requires jakarta.json.bind;

    exports tidemark.sink;
}
