package tidemark.app;

import io.helidon.webserver.http.ServerRequest;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** What every request below {@code /tables/{table}} says. Public because Jersey makes it. */
@SuppressWarnings("exports")
public final class TableRequest {
    private final String table;
    private final String slot;
    private final ManagementGate.Visit visit;

    /** @param slot of the service that is meant; empty for any */
    public TableRequest(
            @PathParam("table") String table,
            @QueryParam("slot") @DefaultValue("") String slot,
            @Context HttpHeaders headers,
            @Context ServerRequest request) {
        this.table = table;
        this.slot = slot;
        Map<String, String> byName = new HashMap<>();
        headers.getRequestHeaders()
                .forEach((name, values) -> byName.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
        this.visit = new ManagementGate.Visit(
                byName, request.remotePeer().address(), request.localPeer().address());
    }

    String table() {
        return table;
    }

    boolean means(String ours) {
        return slot.isEmpty() || slot.equals(ours);
    }

    String slot() {
        return slot;
    }

    ManagementGate.Visit visit() {
        return visit;
    }
}
