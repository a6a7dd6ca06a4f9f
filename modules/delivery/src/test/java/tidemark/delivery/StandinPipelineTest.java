package tidemark.delivery;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import tidemark.sink.Destination;
import tidemark.sink.FelderaClient;
import tidemark.sink.IngressReply;
import tidemark.sink.QueryRows;
import tidemark.sink.TableBody;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinPipeline;
import tidemark.standin.StandinSettings;

class StandinPipelineTest extends PipelineContract {
    private static final QueryRows.Limits LIMITS = new QueryRows.Limits(16 << 20, Duration.ofSeconds(9));
    private static final String PROGRAM =
            "CREATE TABLE t0 (id BIGINT NOT NULL PRIMARY KEY, v VARCHAR, big VARCHAR, extra VARCHAR) WITH ('materialized' = 'true');";

    private final FelderaStandin feldera =
            FelderaStandin.start(StandinSettings.defaults().withApiServerLimit(Duration.ofSeconds(3)));
    private final StandinPipeline pipeline = feldera.deploy("p", PROGRAM);
    private final FelderaClient client = Replica.client(feldera.url());

    @AfterEach
    void close() {
        client.close();
        feldera.close();
    }

    @Override
    Destination destination() {
        return client;
    }

    @Override
    IngressReply post(TableBody body) {
        return client.post(body);
    }

    @Override
    void moment() {
        LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }

    @Override
    void pause() {
        pipeline.pause();
    }

    @Override
    void resume() {
        pipeline.resume();
    }

    @Override
    void restartEmpty() {
        pipeline.restartEmpty();
        while (!isRunning()) moment();
    }

    @Override
    Map<Long, String> rows() {
        Map<Long, String> rows = new TreeMap<>();
        try (QueryRows found = client.query("SELECT * FROM t0", LIMITS)) {
            for (Optional<byte[]> row = found.next(); row.isPresent(); row = found.next()) {
                try (var reader = Json.createReader(new ByteArrayInputStream(row.get()))) {
                    JsonObject json = reader.readObject();
                    rows.put(json.getJsonNumber("id").longValue(), json.getString("v"));
                }
            }
        }
        return rows;
    }
}
