package tidemark.standin;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http1.Http1Config;

/**
 * An in-memory Feldera over HTTP, for tests and the demo: the API server with its pipelines, which accepts, refuses,
 * stores, completes, blocks and forgets as the recorded Feldera 0.337.0 does. Tables are kept; views are not computed.
 *
 * <p>Listens on loopback from {@link #start} to {@link #close}. Nothing survives it.
 */
public final class FelderaStandin implements AutoCloseable {
    private final WebServer server;
    private final WebServer processes;
    private final WireProxy directly;
    private final ApiServer api;

    private FelderaStandin(WebServer server, WebServer processes, WireProxy directly, ApiServer api) {
        this.server = server;
        this.processes = processes;
        this.directly = directly;
        this.api = api;
    }

    /** Starts to listen; there is no pipeline yet. */
    public static FelderaStandin start(StandinSettings settings) {
        var api = new ApiServer(settings);
        WebServer server = listen(settings.port(), "/v0", api);
        // What a web server does not tell: whether a client has closed its connection or has reset it (counters.md).
        var resets = new Resets(api::wake);
        WebServer processes = listen(0, "/", new ProcessServer(api::pipeline, resets));
        return new FelderaStandin(server, processes, WireProxy.before(processes.port(), resets), api);
    }

    private static WebServer listen(int port, String path, HttpService service) {
        return WebServer.builder()
                .host("127.0.0.1")
                .port(port)
                .shutdownHook(false)
                // An answer goes out in pieces; without this each would wait for the client's delayed acknowledgement.
                .connectionOptions(socket -> socket.tcpNoDelay(true))
                .contentEncoding(new Unpacked())
                // As actix: a URL of 20 kB is taken, one of 70 kB is not (feldera.md 15).
                .addProtocol(Http1Config.builder().maxPrologueLength(64 * 1024).build())
                .routing(routing -> routing.register(path, service))
                .build()
                .start();
    }

    /** Where it listens. */
    public int port() {
        return server.port();
    }

    /** The base URL, without {@code /v0}. */
    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /** The base URL of one pipeline's own server, behind the API server's back. */
    public String processUrl(String pipeline) {
        return "http://127.0.0.1:" + directly.port() + "/" + pipeline;
    }

    /** Creates the pipeline with this program and starts it, as a client could over HTTP. */
    public StandinPipeline deploy(String name, String programCode) {
        return deploy(name, programCode, FaultTolerance.NONE);
    }

    /** The same with this fault tolerance, which the open-source edition has no use for. */
    public StandinPipeline deploy(String name, String programCode, FaultTolerance tolerance) {
        api.define(name, programCode, tolerance).start("running");
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
        processes.stop();
        directly.close();
    }
}
