/** Feldera's HTTP API. Knows neither slots nor LSNs. */
module tidemark.sink {
    requires io.helidon.webclient;
    requires jakarta.json;
    requires jakarta.json.bind;

    exports tidemark.sink;

    // JSON-B builds the records of replies by reflection.
    opens tidemark.sink to
            org.eclipse.yasson;
}
