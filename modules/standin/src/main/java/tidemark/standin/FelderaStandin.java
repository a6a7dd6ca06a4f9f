package tidemark.standin;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http1.Http1Config;

/**
 * An in-memory Feldera over HTTP, for tests and the demo: the open-source edition's API server with its pipelines,
 * which accepts, refuses, stores, completes, blocks and forgets as the recorded Feldera 0.337.0 does. Tables are kept;
 * views are not computed.
 *
 * <p>Listens on loopback from {@link #start} to {@link #close}. Nothing survives it.
 */
public final class FelderaStandin implements AutoCloseable {
    private final WebServer server;
    private final ApiServer api;

    private FelderaStandin(WebServer server, ApiServer api) {
        this.server = server;
        this.api = api;
    }

    /** Starts to listen; there is no pipeline yet. */
    public static FelderaStandin start(StandinSettings settings) {
        var api = new ApiServer(settings);
        WebServer server = WebServer.builder()
                .host("127.0.0.1")
                .port(settings.port())
                .shutdownHook(false)
                // As actix: a URL of 20 kB is taken, one of 70 kB is not (feldera.md 15).
                .addProtocol(Http1Config.builder().maxPrologueLength(64 * 1024).build())
                .routing(routing -> routing.register("/v0", api))
                .build()
                .start();
        return new FelderaStandin(server, api);
    }

    /** Where it listens. */
    public int port() {
        return server.port();
    }

    /** The base URL, without {@code /v0}. */
    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /** Creates the pipeline with this program and starts it, as a client could over HTTP. */
    public StandinPipeline deploy(String name, String programCode) {
        api.define(name, programCode).start("running");
        return pipeline(name);
    }

    /** The strings of one pipeline that no HTTP client can pull. */
    public StandinPipeline pipeline(String name) {
        return new StandinPipeline(api.pipeline(name));
    }

    @Override
    public void close() {
        api.close();
        server.stop();
    }
}
