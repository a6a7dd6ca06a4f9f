package tidemark.app;

import io.helidon.webserver.http.ServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tidemark.decode.RelationName;
import tidemark.delivery.ResyncReply;

/**
 * What may be asked of one table, named as in {@code tables}, while the service runs. Whoever is not let in by the
 * {@link ManagementGate} learns nothing of any table.
 */
@Path("/tables/{table}")
@Produces(MediaType.APPLICATION_JSON)
@ApplicationScoped
@SuppressWarnings("exports") // public because Jersey calls it; nobody compiles against this module
public class TablesResource {
    private static final int UNPROCESSABLE = 422;

    private final Wiring wiring;

    @Inject
    TablesResource(Wiring wiring) {
        this.wiring = wiring;
    }

    /** Begins a comparison beside the stream, or goes on with the one that is under way. */
    @POST
    @Path("verify")
    public Response verify(
            @PathParam("table") String table,
            @QueryParam("slot") @DefaultValue("") String slot,
            @Context HttpHeaders headers,
            @Context ServerRequest request) {
        return admitted(
                table,
                slot,
                headers,
                request,
                name -> reply(Response.Status.ACCEPTED, VerifyReply.of(name, wiring.verify(name))));
    }

    /** How the last one stands. */
    @GET
    @Path("verify")
    public Response verified(
            @PathParam("table") String table,
            @QueryParam("slot") @DefaultValue("") String slot,
            @Context HttpHeaders headers,
            @Context ServerRequest request) {
        return admitted(
                table,
                slot,
                headers,
                request,
                name -> wiring.verified(name)
                        .map(state -> reply(Response.Status.OK, VerifyReply.of(name, state)))
                        .orElseGet(() -> reply(
                                Response.Status.NOT_FOUND,
                                new RefusedReply(
                                        "%s was not compared since the service began".formatted(name), "POST"))));
    }

    /** Has the table read again beside the stream; what becomes of it is in {@code /status}. */
    @POST
    @Path("resync")
    public Response resync(
            @PathParam("table") String table,
            @QueryParam("slot") @DefaultValue("") String slot,
            @Context HttpHeaders headers,
            @Context ServerRequest request) {
        return admitted(table, slot, headers, request, name -> answer(name, wiring.resync(name)));
    }

    private Response answer(RelationName table, ResyncReply reply) {
        return switch (reply) {
            case ResyncReply.Accepted() ->
                reply(Response.Status.ACCEPTED, new ResyncAnswer(table.toString(), "accepted"));
            case ResyncReply.UnderWay() ->
                reply(Response.Status.ACCEPTED, new ResyncAnswer(table.toString(), "under-way"));
            case ResyncReply.UnknownTable() -> unknown(table + " is not in tables");
            case ResyncReply.NotStreaming() ->
                reply(
                        Response.Status.SERVICE_UNAVAILABLE,
                        new RefusedReply("the service does not stream %s now".formatted(table), "ask again later"));
            case ResyncReply.Refused(String what, String remedy) ->
                Response.status(UNPROCESSABLE)
                        .entity(new RefusedReply(what, remedy))
                        .build();
        };
    }

    private Response unknown(String why) {
        List<String> tables = wiring.routes().stream()
                .map(route -> route.postgres().toString())
                .toList();
        return reply(Response.Status.NOT_FOUND, new RefusedReply(why, "name one of these", Optional.of(tables)));
    }

    private Response admitted(
            String table,
            String slot,
            HttpHeaders headers,
            ServerRequest request,
            Function<RelationName, Response> then) {
        Optional<ManagementGate.Closed> closed = wiring.gate().closedTo(visit(headers, request));
        if (closed.isPresent()) {
            return Response.status(closed.get().status())
                    .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
                    .entity(new RefusedReply(closed.get().why(), closed.get().remedy()))
                    .build();
        }
        if (!slot.isEmpty() && !slot.equals(wiring.slot())) {
            return reply(
                    Response.Status.CONFLICT,
                    new RefusedReply(
                            "the service that answers here has the slot %s, not %s".formatted(wiring.slot(), slot),
                            "set server.host and server.port to those of the service that is meant"));
        }
        try {
            return then.apply(
                    VerifyCommand.named(wiring.routes(), List.of(table)).getFirst());
        } catch (VerifyCommand.Misnamed misnamed) {
            return unknown(String.valueOf(misnamed.getMessage()));
        }
    }

    private static ManagementGate.Visit visit(HttpHeaders headers, ServerRequest request) {
        Map<String, String> byName = new HashMap<>();
        headers.getRequestHeaders()
                .forEach((name, values) -> byName.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
        return new ManagementGate.Visit(
                byName, request.remotePeer().address(), request.localPeer().address());
    }

    private static Response reply(Response.Status status, Object entity) {
        return Response.status(status).entity(entity).build();
    }
}
