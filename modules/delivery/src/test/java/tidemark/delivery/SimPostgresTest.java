package tidemark.delivery;

import java.util.function.Consumer;
import tidemark.replication.ChangeSource;

class SimPostgresTest extends SourceContract {
    private final SimWorld world = calm();
    private final SimPostgres postgres = new SimPostgres(world, 1);

    /** A seed whose table has the usual replica identity. */
    private static SimWorld calm() {
        var world = new SimWorld(1, false);
        world.calmDown();
        return world;
    }

    @Override
    ChangeSource source() {
        return postgres;
    }

    @Override
    void insert(long id) {
        postgres.insert(id);
    }

    @Override
    void touch(long id) {
        postgres.touch(id);
    }

    @Override
    void changeKey(long from, long to) {
        postgres.changeKey(from, to);
    }

    @Override
    void delete(long id) {
        postgres.delete(id);
    }

    @Override
    void addColumn() {
        postgres.addColumn();
    }

    @Override
    boolean writeAnew() {
        return postgres.tables.getFirst().writeAnew(postgres);
    }

    @Override
    void somethingElse() {
        postgres.somethingElse();
    }

    @Override
    void whileATransactionIsOpen(Consumer<ChangeSource> impatient) {
        postgres.holdBackSlots(true);
        impatient.accept(postgres);
        postgres.holdBackSlots(false);
    }

    @Override
    long nanos() {
        return world.time.now();
    }
}
