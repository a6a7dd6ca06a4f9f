package tidemark.standin;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The way of rows into the endpoints: who has to wait, for what, and what becomes of a body that is not good to its
 * end. Waits for as long as it takes: whoever wants the answer may be gone by then, and the rows arrive all the same
 * (feldera.md 3).
 */
final class Ingestion {
    /**
     * How many values of a body are queued between two looks at pause and back-pressure; one frame of the network, say.
     */
    private static final int FRAME_VALUES = 1000;

    private final Boot boot;
    private final ProcessLife life;
    private final Endpoints endpoints;
    private final Circuit circuit;
    private final BooleanSupplier running;

    /** @param running whether the pipeline is not paused; read under the lock */
    Ingestion(Boot boot, ProcessLife life, Endpoints endpoints, Circuit circuit, BooleanSupplier running) {
        this.boot = boot;
        this.life = life;
        this.endpoints = endpoints;
        this.circuit = circuit;
        this.running = running;
    }

    /** Takes the body of one POST; answers with the token. */
    CompletionToken ingest(IngressParameters parameters, boolean force, IngressRequest request) {
        Endpoint endpoint = endpointOf(parameters);
        life.awaitDelay(request::delay);
        var errors = new ParseErrors();
        ReceivedBody piece;
        do {
            piece = request.body().next(parameters.lines());
            var body = new IngressBody(piece.bytes(), piece.length(), parameters, errors);
            do {
                awaitOpen(() -> force || isOpen(endpoint), request.withdrawn());
                requireParser(parameters);
                ingestFrame(endpoint, parameters, body);
            } while (body.hasNext());
        } while (piece.rest() == ReceivedBody.Rest.FOLLOWS);
        if (piece.rest() == ReceivedBody.Rest.MISSING) {
            String error = "Error reading request payload: the client disconnected";
            life.change(() -> endpoint.abandoned(error));
            throw new ApiError(500, "InputTransportError", error);
        }
        if (!errors.isEmpty()) {
            life.change(() -> endpoint.refused(errors));
            throw errors.toApiError();
        }
        return life.locked(() -> token(endpoint));
    }

    CompletionToken token(Endpoint endpoint) {
        return new CompletionToken(boot.incarnation(), endpoint.id(), endpoint.totalRecords());
    }

    /** Looks, then makes it, and holds no lock in between (feldera.md 1.3). */
    private Endpoint endpointOf(IngressParameters parameters) {
        if (boot.faults().creationDelay().isZero()) {
            return life.locked(() -> endpoints.find(parameters).orElseGet(() -> create(parameters)));
        }
        var known = life.locked(() -> endpoints.find(parameters));
        if (known.isPresent()) {
            return known.get();
        }
        life.awaitDelay(boot.faults()::creationDelay);
        return life.locked(() -> create(parameters));
    }

    private Endpoint create(IngressParameters parameters) {
        circuit.requireRestored();
        return endpoints.create(parameters);
    }

    /** {@code force} goes past all of it (feldera.md 1.6). */
    private boolean isOpen(Endpoint endpoint) {
        return running.getAsBoolean() && !endpoint.isPaused() && !endpoint.isFull();
    }

    private void awaitOpen(BooleanSupplier open, BooleanSupplier withdrawn) {
        life.locked(() -> {
            circuit.requireAnswering();
            while (circuit.isRestoring() || !open.getAsBoolean()) {
                requireNotWithdrawn(withdrawn); // a reset before this waits wakes nobody
                life.awaitChange();
                circuit.requireAnswering();
                requireNotWithdrawn(withdrawn);
            }
            return true;
        });
    }

    private void requireNotWithdrawn(BooleanSupplier withdrawn) {
        if (!withdrawn.getAsBoolean()) return;
        boot.faults().countWithdrawn();
        throw new NoAnswer("the client has reset its connection");
    }

    /** Two parsers panic, and take a lock with them that every later step needs (recorded exchange 19). */
    private void requireParser(IngressParameters parameters) {
        if (parameters.format() == IngressParameters.Format.PANICS) {
            life.change(circuit::wedge);
            throw new NoAnswer("the parser has panicked");
        }
    }

    private void ingestFrame(Endpoint endpoint, IngressParameters parameters, IngressBody body) {
        endpoint.parser().lock();
        try {
            int values = parameters.array() ? 1 : FRAME_VALUES;
            List<Endpoint.Chunk> chunks = new ArrayList<>();
            List<Change> changes = new ArrayList<>();
            for (int i = 0; i < values && body.hasNext(); i++) {
                int bytes = body.next(endpoint.events(), changes);
                if (parameters.lines() == IngressParameters.Lines.MULTIPLE) {
                    chunks.add(new Endpoint.Chunk(changes, bytes));
                    changes = new ArrayList<>(1);
                }
            }
            chunks.add(new Endpoint.Chunk(changes, 0));
            life.change(() -> chunks.forEach(endpoint::push));
        } finally {
            endpoint.parser().unlock();
        }
    }

    /** Rows of an INSERT, by way of an endpoint that is theirs alone; answers how many. They are not visible yet. */
    long insert(InsertStatement statement, TableContent table) {
        List<Change> changes = statement.changes(table);
        awaitOpen(running, () -> false);
        life.change(() -> endpoints
                .adHoc(table.definition().name(), boot.identities().uuid())
                .push(new Endpoint.Chunk(changes, 0)));
        return changes.size();
    }
}
