package tidemark.sink;

import io.helidon.common.socket.SocketOptions;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.webclient.api.DnsAddressLookup;
import io.helidon.webclient.api.TcpClientConnection;
import io.helidon.webclient.api.WebClient;
import io.helidon.webclient.api.WebClientConfig;
import io.helidon.webclient.http1.Http1Client;
import io.helidon.webclient.http1.Http1ClientRequest;
import io.helidon.webclient.http1.Http1ClientResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One pipeline behind one API server, as HTTP/1.1: addresses, credentials, connections and time-outs. Thread safe.
 *
 * <p>Whatever the network does comes out as an unchecked exception of Java's or of Helidon's; see {@link ReplyProblem}.
 *
 * <p>Questions, queries and POSTs have a client each. Only connections of POSTs are closed by reset: that withdraws a
 * POST still blocked in a pipeline that is reached directly, where an orderly close leaves it to take effect later
 * (counters.md, ghosts). A query has a connection of its own, without a time-out: a sort may keep it silent for long,
 * and {@link InterruptibleCall} bounds each wait.
 */
final class FelderaHttp implements AutoCloseable {
    /** The API server caps its own replies there (feldera.md §1.6). */
    private static final int LARGEST_REPLY_BYTES = 50 * 1024 * 1024;

    private final FelderaSettings settings;
    private final WebClient questions;
    private final WebClient queries;
    private final WebClient posts;
    private final KeptConnections forQuestions;
    private final KeptConnections forPosts;

    /** A 200 as far as it was read, or what an error says. */
    sealed interface Reply<T> {
        record Ok<T>(T body) implements Reply<T> {}

        record Failed<T>(int status, ErrorBody body) implements Reply<T> {}
    }

    FelderaHttp(FelderaSettings settings, LongSupplier nanoClock) {
        this.settings = settings;
        this.questions = client(settings, settings.questionTimeout(), Map.of()).build();
        this.queries =
                client(settings, Duration.ZERO, Map.of()).keepAlive(false).build();
        this.posts = client(settings, settings.postTimeout(), Map.of(StandardSocketOptions.SO_LINGER, 0))
                .build();
        this.forQuestions = new KeptConnections(questions, settings.url(), nanoClock);
        this.forPosts = new KeptConnections(posts, settings.url(), nanoClock);
    }

    private static WebClientConfig.Builder client(
            FelderaSettings settings, Duration readTimeout, Map<SocketOption<?>, Object> options) {
        var client = WebClient.builder()
                .baseUri(settings.url())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(settings.connectTimeout())
                        .readTimeout(readTimeout)
                        .tcpNoDelay(true)
                        .addSocketOptions(options)
                        .build())
                .dnsResolver(FelderaHttp::resolve)
                .keepAlive(true)
                .shareConnectionCache(false)
                // A redirected POST would become a GET; nothing documented redirects.
                .followRedirects(false)
                // The rows are in memory: asking first would cost a round trip and save nothing.
                .sendExpectContinue(false)
                // Streamed replies are never compressed, the others only if asked for (feldera.md §1.6).
                .contentEncoding(ContentEncodingContext.builder()
                        .contentEncodingsDiscoverServices(false)
                        .build());
        settings.apiKey().ifPresent(key -> client.addHeader(HeaderNames.AUTHORIZATION, "Bearer " + key));
        settings.caFile().ifPresent(file -> client.tls(TrustedCa.of(file)));
        return client;
    }

    /**
     * An address that keeps the name it was asked by: certificates are checked against that, where Helidon's own
     * resolver would check an address in the URL against whatever name reverse lookup gives.
     */
    private static InetAddress resolve(String host, DnsAddressLookup preference) {
        try {
            InetAddress[] candidates = preference.filter(InetAddress.getAllByName(host));
            if (candidates.length == 0) throw new UnknownHostException(host);
            return InetAddress.getByAddress(host, candidates[0].getAddress());
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param path below the pipeline, percent-encoded, empty for the pipeline itself */
    Reply<byte[]> ask(String path, Map<String, String> parameters) {
        return InterruptibleCall.within(settings.questionTimeout(), () -> {
            TcpClientConnection connection = forQuestions.take();
            try {
                Http1ClientRequest request =
                        request(questions, Method.GET, path, parameters).connection(connection);
                return reply(responded(request::request), FelderaHttp::whole);
            } catch (RuntimeException broken) {
                connection.closeResource();
                throw broken;
            }
        });
    }

    /** Leaves the body of a 200 to the caller, who bounds every read of it and closes it. */
    Reply<Http1ClientResponse> open(String path, Map<String, String> parameters, Duration patience) {
        return InterruptibleCall.within(patience, () -> {
            Http1ClientRequest request = request(queries, Method.GET, path, parameters);
            return reply(responded(request::request), response -> response);
        });
    }

    /** A connection for one {@link #post}. When this fails, nothing was sent. */
    TcpClientConnection connect() {
        return InterruptibleCall.within(settings.connectTimeout(), forPosts::take);
    }

    Reply<byte[]> post(TcpClientConnection connection, String path, Map<String, String> parameters, Upload upload) {
        return InterruptibleCall.within(settings.postTimeout(), () -> {
            try {
                Http1ClientRequest request = request(posts, Method.POST, path, parameters)
                        .connection(connection)
                        .header(HeaderValues.CONTENT_TYPE_JSON)
                        .header(HeaderValues.create(HeaderNames.CONTENT_LENGTH, upload.length()));
                Http1ClientResponse response = responded(() -> request.outputStream(upload));
                return upload.unlessBroken(reply(response, FelderaHttp::whole));
            } catch (RuntimeException broken) {
                connection.closeResource();
                throw broken;
            }
        });
    }

    private Http1ClientRequest request(WebClient client, Method method, String path, Map<String, String> parameters) {
        Http1ClientRequest request = client.client(Http1Client.PROTOCOL)
                .method(method)
                // We encode: Helidon would take an encoded slash for a separator.
                .skipUriEncoding(true)
                .path("/v0/pipelines/" + encoded(settings.pipeline()) + path);
        parameters.forEach((name, value) -> request.queryParam(name, encoded(value)));
        return request;
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * What came instead of a status line is not told: Helidon quotes it, and it may have rows in it. That it comes is
     * no more final than a connection that breaks.
     */
    private static Http1ClientResponse responded(Supplier<Http1ClientResponse> exchange) {
        try {
            return exchange.get();
        } catch (IllegalStateException _) {
            throw new UncheckedIOException(new ProtocolException("what came was no HTTP reply"));
        }
    }

    private static <T> Reply<T> reply(Http1ClientResponse response, Function<Http1ClientResponse, T> reader) {
        if (response.status().code() == 200) return new Reply.Ok<>(reader.apply(response));
        try (response) {
            return new Reply.Failed<>(response.status().code(), ErrorBody.read(response.inputStream()));
        }
    }

    private static byte[] whole(Http1ClientResponse response) {
        try (response) {
            byte[] body = response.inputStream().readNBytes(LARGEST_REPLY_BYTES + 1);
            if (body.length > LARGEST_REPLY_BYTES) throw new IllegalStateException("a reply larger than 50 MiB");
            return body;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        forQuestions.close();
        forPosts.close();
        questions.closeResource();
        queries.closeResource();
        posts.closeResource();
    }
}
