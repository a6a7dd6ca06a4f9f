package tidemark.app;

import jakarta.json.Json;
import jakarta.json.JsonException;
import java.io.IOException;
import java.io.StringReader;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tidemark.delivery.ExitCode;

/**
 * The running service as its own commands ask it, over HTTP at {@code server.host} and {@code server.port}: where it
 * listens on every address of its machine, on that machine.
 */
final class Door implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** No answer that could be used: what the command ends with and says. */
    static final class Shut extends RuntimeException {
        private final transient ExitCode exit;
        private final String remedy;

        Shut(ExitCode exit, String why, String remedy) {
            super(why);
            this.exit = exit;
            this.remedy = remedy;
        }

        ExitCode exit() {
            return exit;
        }

        String remedy() {
            return remedy;
        }
    }

    private final DoorSettings settings;
    private final String base;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    Door(DoorSettings settings) {
        this.settings = settings;
        this.base = "http://%s:%d"
                .formatted(host(settings.server().host()), settings.server().port());
    }

    private static String host(String configured) {
        try {
            InetAddress address = InetAddress.getByName(configured);
            InetAddress reached = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
            return reached instanceof Inet6Address ? "[" + reached.getHostAddress() + "]" : reached.getHostAddress();
        } catch (UnknownHostException e) {
            throw new Shut(
                    ExitCode.UNREACHABLE,
                    "server.host %s is unknown here".formatted(configured),
                    "set server.host to where the service listens");
        }
    }

    /** For people. */
    String address() {
        return base;
    }

    /** {@code /status}, as it is. */
    String status() {
        return answer(HttpRequest.newBuilder(URI.create(base + "/status")));
    }

    DoorReply statusReply() {
        return parsed(status());
    }

    /** @param table spelled as in the configuration */
    DoorReply post(String table, String what) {
        return parsed(answer(request(table, what).POST(HttpRequest.BodyPublishers.noBody())));
    }

    DoorReply get(String table, String what) {
        return parsed(answer(request(table, what)));
    }

    DoorReply delete(String table, String what) {
        return parsed(answer(request(table, what).DELETE()));
    }

    /** For how long a command waits while no session streams. */
    Duration patience() {
        return settings.giveUpAfter();
    }

    private HttpRequest.Builder request(String table, String what) {
        String encoded = URLEncoder.encode(table, StandardCharsets.UTF_8).replace("+", "%20");
        var request = HttpRequest.newBuilder(
                URI.create("%s/tables/%s/%s?slot=%s".formatted(base, encoded, what, settings.slot())));
        settings.token().ifPresent(token -> request.header("Authorization", token.header()));
        return request;
    }

    private String answer(HttpRequest.Builder request) {
        if (settings.server().port() == 0) {
            throw new Shut(
                    ExitCode.UNREACHABLE,
                    "server.port is 0, so nobody knows where the service listens",
                    "set SERVER_PORT to the port that the service logged when it started");
        }
        try {
            HttpResponse<String> reply =
                    http.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
            if (reply.statusCode() / 100 != 2) throw refused(reply);
            return reply.body();
        } catch (IOException e) {
            throw new Shut(
                    ExitCode.UNREACHABLE,
                    "no service answers at %s (%s)".formatted(base, e.getClass().getSimpleName()),
                    "start the service, or set server.host and server.port to where it listens");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Shut(ExitCode.TEMPORARY, "interrupted while %s was asked".formatted(base), "ask again");
        }
    }

    private Shut refused(HttpResponse<String> reply) {
        DoorReply body = parsed(reply.body());
        ExitCode exit = switch (reply.statusCode()) {
            case 401, 403 -> ExitCode.CREDENTIALS;
            case 404 -> body.has("tables") ? ExitCode.USAGE : ExitCode.TEMPORARY;
            case 422 -> ExitCode.DATA;
            default -> ExitCode.TEMPORARY;
        };
        return new Shut(
                exit,
                "%s (%d from %s)".formatted(body.findText("error").orElse("refused"), reply.statusCode(), base),
                body.findText("remedy").orElse("look at the service's log"));
    }

    private DoorReply parsed(String body) {
        try (var reader = Json.createReader(new StringReader(body))) {
            return new DoorReply(reader.readObject(), this::strange);
        } catch (JsonException e) {
            throw strange();
        }
    }

    /** Somebody else's answer, or another version's. */
    private Shut strange() {
        return new Shut(
                ExitCode.PROTOCOL,
                "what answers at %s is not this service".formatted(base),
                "set server.host and server.port to where the service listens");
    }

    @Override
    public void close() {
        http.close();
    }
}
