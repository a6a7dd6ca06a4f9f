package tidemark.standin;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The answer to {@code GET /v0/pipelines/{name}}: with {@code selector=status} it has no program in it (feldera.md 6).
 */
record DescriptorJson(
        String id,
        String name,
        Instant created,
        String code,
        long version,
        Pipeline.Compiled compiled,
        Instant compiledAt,
        Deployment deployment,
        FaultTolerance faultTolerance,
        Storage storage) {
    static final String PLATFORM_VERSION = "0.337.0";

    JsonObject json(boolean statusOnly) {
        JsonObjectBuilder json = Json.createObjectBuilder()
                .add("id", id)
                .add("name", name)
                .add("description", "")
                .add("tags", JsonValue.EMPTY_JSON_ARRAY)
                .add("created_at", told(created))
                .add("version", version)
                .add("platform_version", PLATFORM_VERSION);
        if (!statusOnly) {
            json.add("runtime_config", runtimeConfig())
                    .add("program_code", code)
                    .add("udf_rust", "")
                    .add("udf_toml", "");
        }
        json.add(
                        "program_config",
                        Json.createObjectBuilder().add("profile", "dev").add("cache", true))
                .add("program_version", version)
                .add("program_status", compiled instanceof Pipeline.Good ? "Success" : "SqlError")
                .add("program_status_since", told(compiledAt));
        if (!statusOnly) {
            addProgram(json);
        }
        addDeployment(json);
        return json.build();
    }

    private JsonObjectBuilder runtimeConfig() {
        JsonObjectBuilder tolerance = Json.createObjectBuilder();
        switch (faultTolerance) {
            case NONE -> tolerance.addNull("model");
            case AT_LEAST_ONCE, EXACTLY_ONCE -> tolerance.add("model", faultTolerance.model());
        }
        return Json.createObjectBuilder().add("workers", 2).add("fault_tolerance", tolerance);
    }

    /** Feldera's clock has microseconds. */
    private static String told(Instant time) {
        return time.truncatedTo(ChronoUnit.MICROS).toString();
    }

    private void addProgram(JsonObjectBuilder json) {
        switch (compiled) {
            case Pipeline.Good good ->
                json.add(
                                "program_error",
                                Json.createObjectBuilder()
                                        .add("sql_compilation", sqlCompilation(0, JsonValue.EMPTY_JSON_ARRAY)))
                        .add("program_info", Json.createObjectBuilder().add("schema", SchemaJson.of(good.tables())));
            case Pipeline.Bad bad ->
                json.add(
                                "program_error",
                                Json.createObjectBuilder()
                                        .add("sql_compilation", sqlCompilation(1, messages(bad.error()))))
                        .addNull("program_info");
        }
    }

    private static JsonObjectBuilder sqlCompilation(int exitCode, JsonValue messages) {
        return Json.createObjectBuilder().add("exit_code", exitCode).add("messages", messages);
    }

    private static JsonValue messages(SqlRefused error) {
        return Json.createArrayBuilder()
                .add(Json.createObjectBuilder()
                        .add("start_line_number", error.line())
                        .add("start_column", error.column())
                        .add("end_line_number", error.line())
                        .add("end_column", error.column())
                        .add("warning", false)
                        .add("error_type", "Error parsing SQL")
                        .add("message", error.description())
                        .addNull("snippet"))
                .build();
    }

    private void addDeployment(JsonObjectBuilder json) {
        boolean stopped = !(deployment instanceof Deployment.Deployed);
        switch (deployment) {
            case Deployment.Failed(Instant _, String error) -> json.add("deployment_error", checkError(error));
            case Deployment.Stopped _, Deployment.Deployed _ -> json.addNull("deployment_error");
        }
        json.add("refresh_version", version)
                .add("storage_status", stopped && storage.isClear() ? "Cleared" : "InUse")
                .add("storage_status_details", Json.createObjectBuilder().add("checkpoints", storage.json()));
        switch (deployment) {
            case Deployment.Deployed deployed -> addRunning(json, deployed);
            case Deployment.Stopped _, Deployment.Failed _ -> addStopped(json);
        }
    }

    private static JsonObjectBuilder checkError(String error) {
        return Json.createObjectBuilder()
                .add(
                        "message",
                        "Pipeline check failed: compute and/or storage resources encountered a fatal error.\n\n"
                                + error)
                .add("error_code", "RunnerCheckError")
                .add("details", Json.createObjectBuilder().add("error", error));
    }

    private void addRunning(JsonObjectBuilder json, Deployment.Deployed deployed) {
        String state = deployed.process().status();
        String desired = deployed.process().desiredStatus();
        boolean paused = deployed.initial().equals("paused");
        json.add("deployment_id", deployed.deploymentId())
                .add("deployment_initial", paused ? "Paused" : "Running")
                .add("deployment_status", state)
                .add("deployment_status_since", told(deployment.since()))
                .add("deployment_desired_status", desired)
                .add("deployment_desired_status_since", told(deployment.since()))
                .add("deployment_resources_status", "Provisioned")
                .add("deployment_resources_desired_status", "Provisioned")
                .add("deployment_runtime_status", state)
                .add("deployment_runtime_desired_status", desired);
    }

    private void addStopped(JsonObjectBuilder json) {
        json.addNull("deployment_id")
                .addNull("deployment_initial")
                .add("deployment_status", "Stopped")
                .add("deployment_status_since", told(deployment.since()))
                .add("deployment_desired_status", "Stopped")
                .add("deployment_desired_status_since", told(deployment.since()))
                .add("deployment_resources_status", "Stopped")
                .add("deployment_resources_desired_status", "Stopped")
                .addNull("deployment_runtime_status")
                .addNull("deployment_runtime_desired_status");
    }
}
