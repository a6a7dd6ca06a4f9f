package tidemark.standin;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.OptionalLong;
import java.util.concurrent.Callable;

/**
 * Passes the reply to one request on to the client, while the request may still be on its way: a server may refuse
 * early. The only reader of the server's connection and the only writer of the client's as long as it runs.
 *
 * <p>Its result is whether both connections may go on. If not, it has ended them: the client's as the server's ended,
 * or as the fault asks for.
 */
final class ReplyRelay implements Callable<Boolean> {
    private final HttpHead request;
    private final ProxyPeer server;
    private final ProxyPeer client;
    private final FaultRules.Suffering suffering;
    private final RequestLedger.Flight flight;
    private final BodySink.Pause pause;
    private boolean continued;

    ReplyRelay(
            HttpHead request,
            ProxyPeer server,
            ProxyPeer client,
            FaultRules.Suffering suffering,
            RequestLedger.Flight flight,
            BodySink.Pause pause) {
        this.request = request;
        this.server = server;
        this.client = client;
        this.suffering = suffering;
        this.flight = flight;
        this.pause = pause;
    }

    @Override
    public Boolean call() {
        try {
            HttpHead reply = finalHead();
            if (relay(reply, BodyFraming.ofReply(request.method(), reply))) return true;
            flight.end();
            server.close();
            client.close();
        } catch (BodySink.Cut _) {
            flight.end();
            client.reset();
            server.close();
        } catch (BodySink.Broken _) {
            server.reset();
        } catch (EOFException _) {
            client.close();
        } catch (IOException _) {
            client.reset();
            server.reset();
        } finally {
            flight.end();
        }
        return false;
    }

    /** Interim replies are passed on at once. */
    private HttpHead finalHead() throws IOException {
        HttpHead reply = HttpHead.read(server.in());
        while (reply.status() < 200) {
            if (reply.status() == 101) throw new ProtocolException("another protocol is not passed on");
            continued = true;
            client.send(reply);
            reply = HttpHead.read(server.in());
        }
        return reply;
    }

    private boolean relay(HttpHead reply, BodyFraming framing) throws IOException {
        if (suffering.outcome().filter(HttpFault.LostReply.class::isInstance).isPresent()) {
            framing.copy(server.in(), BodySink.nowhere());
            return false;
        }
        pause.of(suffering.latency(Direction.TO_CLIENT));
        OptionalLong cut = cut();
        if (cut.isPresent() && framing instanceof BodyFraming.None) throw new BodySink.Cut();
        flight.end();
        client.send(reply);
        framing.copy(
                server.in(), new BodySink(client.out(), pause, suffering.bytesPerSecond(Direction.TO_CLIENT), cut));
        // Who waited for a 100 and got this instead may or may not send the body: nobody can tell what comes next.
        boolean isAmbiguous = request.expectsContinue() && !continued;
        boolean hasEnd = !(framing instanceof BodyFraming.UntilClose);
        return hasEnd && !isAmbiguous && reply.keepsAlive() && request.keepsAlive();
    }

    private OptionalLong cut() {
        return suffering
                .outcome()
                .filter(HttpFault.ResetInReply.class::isInstance)
                .map(HttpFault.ResetInReply.class::cast)
                .map(reset -> OptionalLong.of(reset.afterBytes()))
                .orElse(OptionalLong.empty());
    }
}
