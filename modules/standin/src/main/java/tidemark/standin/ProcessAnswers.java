package tidemark.standin;

import jakarta.json.Json;
import java.util.Optional;

/**
 * What a pipeline process answers to each of its routes, whoever asks: the API server, or a client directly. Its errors
 * are answers too, and a 503 of its own has no Retry-After (feldera.md 1.7).
 */
final class ProcessAnswers {
    private ProcessAnswers() {}

    /** The token, or what is wrong with the rows. */
    static Reply ingress(PipelineProcess process, IngressRequest request) {
        String force = request.query().first("force").orElse("false");
        if (!force.equals("true") && !force.equals("false")) {
            return Reply.Whole.badQuery("provided string was not `true` or `false`");
        }
        try {
            IngressParameters parameters = IngressParameters.of(request.table(), request.query());
            CompletionToken token = process.ingestion().ingest(parameters, force.equals("true"), request);
            return new Reply.Forwarded(200, "{\"token\":\"" + token.text() + "\"}");
        } catch (ApiError error) {
            return Reply.Forwarded.of(error);
        }
    }

    static Reply completionStatus(PipelineProcess process, QueryParameters query) {
        Optional<String> token = query.first("token");
        if (token.isEmpty()) {
            return Reply.Whole.badQuery("missing field `token`");
        }
        return Reply.Whole.ofProcess(() -> {
            PipelineProcess.Completion completion = process.completion(CompletionToken.parse(token.get()));
            String step = completion.step().map(String::valueOf).orElse("null");
            return "{\"status\":\"" + (completion.complete() ? "complete" : "inprogress") + "\",\"step\":" + step + "}";
        });
    }

    static Reply startTransaction(PipelineProcess process) {
        return Reply.Whole.ofProcess(() -> "{\"transaction_id\":" + process.startTransaction() + "}");
    }

    static Reply commitTransaction(PipelineProcess process) {
        return Reply.Whole.ofProcess(() -> {
            process.commitTransaction();
            return "\"Transaction commit initiated\"";
        });
    }

    static Reply checkpoint(PipelineProcess process) {
        return Reply.Whole.ofProcess(() -> Json.createObjectBuilder()
                .add("checkpoint_sequence_number", process.checkpoint())
                .add("incarnation_uuid", process.incarnation())
                .build()
                .toString());
    }

    static Reply checkpointStatus(PipelineProcess process, QueryParameters query) {
        return Reply.Whole.ofProcess(() -> {
            Optional<String> other =
                    query.first("incarnation_uuid").filter(uuid -> !uuid.equals(process.incarnation()));
            if (other.isPresent()) {
                throw ApiError.otherIncarnation(other.get(), process.incarnation());
            }
            return process.checkpointStatus().toString();
        });
    }

    static Reply checkpoints(PipelineProcess process) {
        return Reply.Whole.json(200, process.checkpoints().toString());
    }

    /** Only the process itself has this route, and only it tells of a replay (counters.md). */
    static Reply status(PipelineProcess process) {
        Optional<ApiError> failure = process.phase().failure();
        if (failure.isPresent()) {
            return Reply.Whole.of(failure.get());
        }
        boolean suspended = process.phase() == Phase.SUSPENDED;
        var details = Json.createObjectBuilder();
        if (!suspended) {
            details.add("connector_stats", Json.createObjectBuilder().add("num_errors", process.errors()));
        }
        return Reply.Whole.json(
                200,
                Json.createObjectBuilder()
                        .add("runtime_status", process.status())
                        .add("runtime_status_details", details)
                        .add("runtime_desired_status", suspended ? process.status() : process.desiredStatus())
                        .add(
                                "storage_status_details",
                                Json.createObjectBuilder().add("checkpoints", process.checkpoints()))
                        .build()
                        .toString());
    }

    static Reply stats(PipelineProcess process) {
        return Reply.Whole.ofProcess(process::stats);
    }

    static Reply metrics(PipelineProcess process) {
        try {
            return Reply.Whole.text(process.metrics());
        } catch (ApiError error) {
            return Reply.Forwarded.of(error);
        }
    }

    /** Pauses one endpoint, or starts it. */
    static Reply pauseEndpoint(PipelineProcess process, String name, boolean on) {
        return Reply.Whole.ofProcess(() -> {
            process.pauseEndpoint(name, on);
            return "";
        });
    }

    static Reply endpointStats(PipelineProcess process, String name) {
        return Reply.Whole.ofProcess(() -> process.endpointStats(name));
    }

    static Reply endpointToken(PipelineProcess process, String name) {
        return Reply.Whole.ofProcess(() -> "{\"token\":\"" + process.token(name).text() + "\"}");
    }

    static Reply suspend(PipelineProcess process, String deploymentId) {
        try {
            process.suspend(deploymentId);
            return Reply.Whole.accepted("Pipeline is suspending");
        } catch (ApiError error) {
            return Reply.Forwarded.of(error);
        }
    }

    static Reply run(PipelineProcess process, boolean on) {
        boolean was = process.run(on);
        return Reply.Whole.accepted(
                "Pipeline transitioning from " + (was ? "Running" : "Paused") + " to " + (on ? "Running" : "Paused"));
    }

    static Reply query(PipelineProcess process, QueryParameters query, Faults faults) {
        String format = query.first("format").orElse("text");
        if (!format.equals("json")) {
            return Reply.Whole.badQuery("the stand-in answers format=json, not `" + format + "`");
        }
        try {
            process.requireRestored();
            String sql = query.first("sql").orElse("");
            Optional<InsertStatement> insert = InsertStatement.parse(sql);
            if (insert.isPresent()) {
                return new Reply.Forwarded(200, "{\"count\":" + inserted(process, insert.get()) + "}\n");
            }
            QueryStatement statement = QueryStatement.parse(sql);
            QueryAnswer answer = process.readTables(tables -> QueryAnswer.plan(statement, tables));
            return new Reply.Rows(answer.breaking(faults.brokenQuery()));
        } catch (ApiError error) {
            return Reply.Forwarded.of(error);
        }
    }

    private static long inserted(PipelineProcess process, InsertStatement statement) {
        TableContent table = process.readTables(tables -> QueryAnswer.table(statement.table(), tables));
        return process.ingestion().insert(statement, table);
    }
}
