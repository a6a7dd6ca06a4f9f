package tidemark.delivery;

class VirtualThreadsTest extends WorkersContract {
    @Override
    Workers workers() {
        return new VirtualThreads();
    }
}
