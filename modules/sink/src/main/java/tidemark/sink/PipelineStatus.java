package tidemark.sink;

/**
 * The pipeline's descriptor, read from the API server's database, so it answers for a stopped pipeline too.
 *
 * @param programStatus Feldera's word: Success, CompilingSql, SqlError, …
 * @param deploymentStatus Feldera's word: Running, Paused, Stopped, Provisioning, …
 */
public record PipelineStatus(String programStatus, String deploymentStatus, String platformVersion) {
    public boolean isRunning() {
        return deploymentStatus.equals("Running");
    }
}
