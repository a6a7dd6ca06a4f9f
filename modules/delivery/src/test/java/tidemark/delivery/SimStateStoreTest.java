package tidemark.delivery;

class SimStateStoreTest extends StateStoreContract {
    private final SimDisk disk = new SimDisk();

    @Override
    StateStore process() {
        return new SimStateStore(disk, (_, _) -> {});
    }
}
