package tidemark.delivery;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import tidemark.decode.Lsn;
import tidemark.decode.RelationName;
import tidemark.delivery.DeliverySettings.OnStateLoss;
import tidemark.delivery.DeliverySettings.SnapshotMode;
import tidemark.delivery.ReplicationState.Stand;
import tidemark.replication.SlotStatus;
import tidemark.replication.SourceIdentity;
import tidemark.sink.FelderaName;

/**
 * What a session finds when it begins, of one table. Where nothing else is said, the state file, both ends and the slot
 * are those of a clean stop at {@link #CONFIRMED} in {@code life-1}, and the table's endpoint has counted 9.
 */
final class StartScene {
    static final Lsn BEFORE = Lsn.parse("0/80");
    static final Lsn CONFIRMED = Lsn.parse("0/100");
    static final Lsn AHEAD = Lsn.parse("0/200");
    static final SlotStatus MISSING = new SlotStatus.Missing();
    static final SlotStatus HALF_MADE = new SlotStatus.HalfMade();
    static final SlotStatus LOST = new SlotStatus.Lost("wal_removed");
    static final SlotStatus FOREIGN = new SlotStatus.Foreign("its plugin is test_decoding, not pgoutput");
    static final RelationName USERS = new RelationName("public", "users");
    static final FelderaName TARGET = new FelderaName("users", false);
    static final int OID = 16_384;

    private static final Lsn WAL_END = Lsn.parse("0/300");
    private static final SourceIdentity SOURCE = new SourceIdentity("7", 1, "shop", "tidemark", 15);
    private static final String PIPELINE = "http://f/v0/pipelines/p";

    private final Optional<Stand> stand;
    private ReplicationState.Origin origin = ReplicationState.Origin.of(SOURCE);
    private SlotStatus slot = usable(CONFIRMED);
    private Lsn walEnd = WAL_END;
    private String address = PIPELINE;
    private String life = "life-1";
    private boolean fresh = true;
    private RelationName knownAs = USERS;
    private int knownOid = OID;
    private long count = 9;
    private boolean accounted = true;
    private Leftovers leftovers = Leftovers.REPLAYED;
    private SnapshotMode mode = SnapshotMode.INITIAL;

    private StartScene(Optional<Stand> stand) {
        this.stand = stand;
    }

    static StartScene withoutState() {
        return new StartScene(Optional.empty());
    }

    static StartScene known(Stand stand) {
        return new StartScene(Optional.of(stand));
    }

    static StartScene of(Optional<Stand> stand) {
        return new StartScene(stand);
    }

    static SlotStatus usable(Lsn at) {
        return new SlotStatus.Usable(at, BEFORE, OptionalInt.empty());
    }

    /** Of the state file. */
    StartScene origin(String system, int timeline, String database, String slotName) {
        origin = new ReplicationState.Origin(system, timeline, database, slotName);
        return this;
    }

    StartScene slot(SlotStatus found) {
        slot = found;
        return this;
    }

    StartScene slotAt(Lsn at) {
        return slot(usable(at));
    }

    StartScene walEnd(Lsn at) {
        walEnd = at;
        return this;
    }

    /** Of the pipeline that is running. */
    StartScene address(String url) {
        address = url;
        return this;
    }

    StartScene emptied() {
        life = "life-2";
        return this;
    }

    StartScene fromCheckpoint() {
        life = "life-2";
        fresh = false;
        return this;
    }

    /** How the state file calls the table. */
    StartScene knownAs(RelationName name) {
        knownAs = name;
        return this;
    }

    /** Another table in the state file, although of that name. */
    StartScene knownOid(int oid) {
        knownOid = oid;
        return this;
    }

    StartScene counts(long operations) {
        count = operations;
        return this;
    }

    StartScene countsWhatIsNotOurs() {
        accounted = false;
        return this;
    }

    StartScene leaves(Leftovers of) {
        leftovers = of;
        return this;
    }

    StartScene mode(SnapshotMode configured) {
        mode = configured;
        return this;
    }

    StartPlan plan(OnStateLoss policy) {
        return StartPlan.decide(found(policy));
    }

    StartPlan.Found found(OnStateLoss policy) {
        return new StartPlan.Found(
                stand.map(this::state),
                SOURCE,
                slot,
                walEnd,
                address,
                life,
                fresh,
                mode,
                policy.mends(mode),
                List.of(new StartPlan.Subject(USERS, OID, TARGET, count, accounted, leftovers)));
    }

    private ReplicationState state(Stand known) {
        return new ReplicationState(
                origin,
                new ReplicationState.Target(PIPELINE, "life-1"),
                true,
                CONFIRMED,
                List.of(new ReplicationState.Table(knownAs, knownOid, TARGET, known, CONFIRMED, 9, 9)));
    }

    @Override
    public String toString() {
        return "state=%s slot=%s life=%s count=%d mode=%s".formatted(stand, slot, life, count, mode);
    }
}
