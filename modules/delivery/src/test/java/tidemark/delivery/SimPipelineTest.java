package tidemark.delivery;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import tidemark.sink.Destination;
import tidemark.sink.IngressReply;
import tidemark.sink.TableBody;

class SimPipelineTest extends PipelineContract {
    private final SimWorld world = calm();
    private final SimPostgres postgres = new SimPostgres(world, 1);
    private final SimPipeline pipeline = new SimPipeline(world, postgres.tables);

    private static SimWorld calm() {
        var world = new SimWorld(1, false);
        world.calmDown();
        return world;
    }

    @Override
    Destination destination() {
        return pipeline;
    }

    @Override
    IngressReply post(TableBody body) {
        var reply = new AtomicReference<Optional<IngressReply>>(Optional.empty());
        pipeline.arrived(
                body.table(), SimBody.read(body.bytes(), body.length()), answer -> reply.set(Optional.of(answer)));
        return reply.get().orElseGet(() -> new IngressReply.Unknown(SimPipeline.problem("post", 503)));
    }

    @Override
    void moment() {
        world.spend(SimTime.MILLI);
    }

    @Override
    void pause() {
        pipeline.pause(SimTime.SECOND);
    }

    @Override
    void resume() {
        world.spend(SimTime.SECOND);
    }

    @Override
    void restartEmpty() {
        pipeline.kill(SimTime.MILLI, false);
        while (!isRunning()) moment();
    }

    @Override
    Map<Long, String> rows() {
        Map<Long, String> rows = new TreeMap<>();
        pipeline.completedNow(postgres.tables.getFirst()).forEach((key, row) -> rows.put(key, row.v()));
        return rows;
    }
}
