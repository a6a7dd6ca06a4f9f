package tidemark.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tidemark.decode.RelationName;
import tidemark.delivery.CancelReply;
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
    public Response verify(@BeanParam TableRequest request) {
        return admitted(request, table -> reply(Status.ACCEPTED, VerifyReply.of(table, wiring.verify(table))));
    }

    /** How the last one stands. */
    @GET
    @Path("verify")
    public Response verified(@BeanParam TableRequest request) {
        return admitted(
                request,
                table -> wiring.verified(table)
                        .map(state -> reply(Status.OK, VerifyReply.of(table, state)))
                        .orElseGet(() -> reply(
                                Status.NOT_FOUND,
                                new RefusedReply(
                                        "%s was not compared since the service began".formatted(table), "POST"))));
    }

    /** Has the table read again beside the stream; what becomes of it is in {@code /status}. */
    @POST
    @Path("resync")
    public Response resync(@BeanParam TableRequest request) {
        return admitted(request, table -> answer(table, wiring.resync(table)));
    }

    /** Has it not be read again after all, as long as nothing of it was changed. */
    @DELETE
    @Path("resync")
    public Response cancelResync(@BeanParam TableRequest request) {
        return admitted(request, table -> answer(table, wiring.cancelResync(table)));
    }

    private Response answer(RelationName table, ResyncReply reply) {
        return switch (reply) {
            case ResyncReply.Accepted() -> reply(Status.ACCEPTED, new ResyncAnswer(table.toString(), "accepted"));
            case ResyncReply.UnderWay() -> reply(Status.ACCEPTED, new ResyncAnswer(table.toString(), "under-way"));
            case ResyncReply.UnknownTable() -> unknown(table + " is not in tables");
            case ResyncReply.NotStreaming() ->
                reply(
                        Status.SERVICE_UNAVAILABLE,
                        new RefusedReply("the service does not stream %s now".formatted(table), "ask again later"));
            case ResyncReply.Refused(String what, String remedy) ->
                Response.status(UNPROCESSABLE)
                        .entity(new RefusedReply(what, remedy))
                        .build();
        };
    }

    private Response answer(RelationName table, CancelReply reply) {
        return switch (reply) {
            case CancelReply.Cancelled() -> reply(Status.ACCEPTED, new ResyncAnswer(table.toString(), "cancelled"));
            case CancelReply.UnknownTable() -> unknown(table + " is not in tables");
            case CancelReply.NotUnderWay() ->
                reply(
                        Status.CONFLICT,
                        new RefusedReply("nobody asked for %s to be read again".formatted(table), "look at /status"));
            case CancelReply.TooLate() ->
                reply(
                        Status.CONFLICT,
                        new RefusedReply(
                                "differences of %s were sent, and only the rest makes it whole".formatted(table),
                                "wait until it is done"));
        };
    }

    private Response unknown(String why) {
        List<String> tables = wiring.routes().stream()
                .map(route -> route.postgres().toString())
                .toList();
        return reply(Status.NOT_FOUND, new RefusedReply(why, "name one of these", Optional.of(tables)));
    }

    private Response admitted(TableRequest request, Function<RelationName, Response> then) {
        Optional<ManagementGate.Closed> closed = wiring.gate().closedTo(request.visit());
        if (closed.isPresent()) {
            return Response.status(closed.get().status())
                    .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
                    .entity(new RefusedReply(closed.get().why(), closed.get().remedy()))
                    .build();
        }
        if (!request.means(wiring.slot())) {
            return reply(
                    Status.CONFLICT,
                    new RefusedReply(
                            "the service that answers here has the slot %s, not %s"
                                    .formatted(wiring.slot(), request.slot()),
                            "set server.host and server.port to those of the service that is meant"));
        }
        try {
            return then.apply(VerifyCommand.named(wiring.routes(), List.of(request.table()))
                    .getFirst());
        } catch (VerifyCommand.Misnamed misnamed) {
            return unknown(String.valueOf(misnamed.getMessage()));
        }
    }

    private static Response reply(Status status, Object entity) {
        return Response.status(status).entity(entity).build();
    }
}
