package tidemark.standin;

import io.helidon.webserver.http.ServerRequest;

/** One route: what it answers, or an {@link ApiError}. */
interface Route {
    Reply reply(ServerRequest request, QueryParameters query);
}
