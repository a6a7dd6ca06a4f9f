package tidemark.delivery;

class SimWorkersTest extends WorkersContract {
    @Override
    Workers workers() {
        var world = new SimWorld(1, false);
        var postgres = new SimPostgres(world, 1);
        var pipeline = new SimPipeline(world, postgres.tables);
        return new SimWorkers(world, pipeline, new SimPromises(world, postgres, pipeline, new SimDisk(), false));
    }
}
