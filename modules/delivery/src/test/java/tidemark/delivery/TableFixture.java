package tidemark.delivery;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tidemark.decode.PgOutputMessage;
import tidemark.decode.PgOutputMessage.Relation;
import tidemark.decode.PgOutputMessage.ReplicaIdentity;
import tidemark.decode.RelationName;
import tidemark.delivery.ReplicationState.Stand;
import tidemark.replication.SourceSession.Publication;
import tidemark.replication.TableShape;
import tidemark.replication.TypeShape;
import tidemark.sink.FelderaName;
import tidemark.sink.FelderaTable;
import tidemark.sink.FelderaTable.ColumnType;

/** A table at both ends, told column by column. */
final class TableFixture {
    static final int TEXT = 25;

    private final List<TableShape.Column> columns = new ArrayList<>();
    private final List<FelderaTable.Column> targets = new ArrayList<>();
    private final List<String> key = new ArrayList<>();
    private final String name;
    private ReplicaIdentity identity = ReplicaIdentity.DEFAULT;
    private boolean appendOnly;
    private List<String> missingGrants = List.of();
    private boolean deferrable;
    private boolean queryable = true;
    private Optional<List<TableShape.Partition>> partitions = Optional.empty();

    TableFixture(String name) {
        this.name = name;
    }

    /** A PostgreSQL column; the ones named {@code id} or {@code id2} are the primary key. */
    TableFixture source(String column, int oid, String typeName, int typeModifier) {
        boolean primary = column.equals("id") || column.equals("id2");
        TypeShape type = new TypeShape.Scalar(oid, typeName, typeModifier, "");
        columns.add(new TableShape.Column(column, oid, type, typeName, typeModifier, primary, primary));
        return this;
    }

    /** A PostgreSQL column that is not of a built-in type. */
    TableFixture source(String column, int oid, TypeShape type) {
        columns.add(new TableShape.Column(column, oid, type, type.name(), -1, false, false));
        return this;
    }

    TableFixture source(String column, int oid) {
        return source(column, oid, builtIn(oid, -1).name(), -1);
    }

    TableFixture domain(String column, int oid, int baseOid) {
        return source(column, oid, new TypeShape.Domain("domain", builtIn(baseOid, -1), false));
    }

    /**
     * A Feldera column: {@code "name"} is case-sensitive; its type as a program declares it, NOT NULL where it ends
     * with {@code !}: {@code DECIMAL(10,2)}, {@code INTEGER! ARRAY}, {@code MAP<VARCHAR!, VARCHAR>}, {@code ROW(a
     * INTEGER!)}.
     */
    TableFixture target(String column, String type) {
        targets.add(FelderaTable.Column.of(felderaName(column), columnType(type)));
        return this;
    }

    TableFixture defaulted(String column, String type) {
        targets.add(new FelderaTable.Column(
                felderaName(column), columnType(type), Optional.of("7"), Optional.empty(), Optional.empty()));
        return this;
    }

    TableFixture both(String column, int oid, String type) {
        return source(column, oid).target(column, type);
    }

    TableFixture key(String... columns) {
        key.addAll(Arrays.asList(columns));
        return this;
    }

    TableFixture identity(ReplicaIdentity identity) {
        this.identity = identity;
        return this;
    }

    TableFixture missing(String... grants) {
        missingGrants = List.of(grants);
        return this;
    }

    /** PostgreSQL checks its keys at the end of the transaction. */
    TableFixture deferrable() {
        deferrable = true;
        return this;
    }

    TableFixture unqueryable() {
        queryable = false;
        return this;
    }

    TableFixture partitions(TableShape.Partition... leaves) {
        partitions = Optional.of(List.of(leaves));
        return this;
    }

    TableFixture appendOnly() {
        appendOnly = true;
        return this;
    }

    TableShape shape() {
        return new TableShape(
                16400,
                new RelationName("public", name),
                identity,
                List.copyOf(columns),
                Optional.empty(),
                0,
                missingGrants,
                uniqueKeys(),
                partitions);
    }

    private List<TableShape.UniqueKey> uniqueKeys() {
        List<String> primary = columns.stream()
                .filter(TableShape.Column::partOfPrimaryKey)
                .map(TableShape.Column::name)
                .toList();
        boolean index = identity == ReplicaIdentity.INDEX;
        var keys = new ArrayList<TableShape.UniqueKey>();
        if (!deferrable && !primary.isEmpty()) keys.add(new TableShape.UniqueKey(primary, true, false, "c1"));
        if (index) keys.add(new TableShape.UniqueKey(List.of("id"), false, true, "i2"));
        return List.copyOf(keys);
    }

    FelderaTable feldera() {
        return new FelderaTable(
                felderaName(name), List.copyOf(targets), List.copyOf(key), queryable, appendOnly, false);
    }

    TablePlan plan() {
        return new TablePlan(shape(), feldera());
    }

    RowEncoder copyEncoder() {
        return plan().copyEncoder(policy(DeliverySettings.Unrepresentable.NULL, 1 << 20));
    }

    RowEncoder streamEncoder() {
        return streamEncoder(Stand.COPIED);
    }

    RowEncoder streamEncoder(Stand stand) {
        return streamEncoder(
                plan(), relation(), this::type, policy(DeliverySettings.Unrepresentable.NULL, 1 << 20), stand);
    }

    /** As for a RELATION message. */
    static RowEncoder streamEncoder(
            TablePlan plan, Relation relation, SourceColumn.Types types, RowPolicy policy, Stand stand) {
        return plan.encoder(plan.match(relation, types), relation.columns().size(), policy, stand);
    }

    /** What the source says of a type by its oid: as the columns of this table have it, else a built-in one. */
    TypeShape type(int oid, int modifier) {
        return columns.stream()
                .filter(column -> column.typeOid() == oid && !(column.type() instanceof TypeShape.Scalar))
                .findFirst()
                .map(TableShape.Column::type)
                .orElseGet(() -> builtIn(oid, modifier));
    }

    static TypeShape builtIn(int oid, int modifier) {
        return new TypeShape.Scalar(
                oid,
                Arrays.stream(PgType.values())
                        .filter(type -> type.oid() == oid)
                        .findFirst()
                        .orElse(PgType.OTHER)
                        .name()
                        .toLowerCase(Locale.ROOT),
                modifier,
                "");
    }

    /** Key flags as PostgreSQL sets them; under USING INDEX the index is on {@code id}. */
    Relation relation() {
        var relationColumns = columns.stream()
                .map(column -> new PgOutputMessage.Column(
                        column.name(),
                        column.typeOid(),
                        column.typeModifier(),
                        switch (identity) {
                            case FULL -> true;
                            case NOTHING -> false;
                            case DEFAULT -> column.partOfPrimaryKey();
                            case INDEX -> column.name().equals("id");
                        }))
                .toList();
        return new Relation(16400, new RelationName("public", name), identity, relationColumns);
    }

    static RowPolicy policy(DeliverySettings.Unrepresentable unrepresentable, long maxRowBytes) {
        return new RowPolicy(unrepresentable, maxRowBytes, new NulledValues());
    }

    static FelderaName felderaName(String name) {
        return name.startsWith("\"")
                ? new FelderaName(name.substring(1, name.length() - 1), true)
                : new FelderaName(name, false);
    }

    static ColumnType columnType(String declared) {
        return new DeclaredType(declared).columnType();
    }

    static Publication publication(TableShape... tables) {
        return new Publication("tidemark", List.of(tables), true, true, true, true, true);
    }

    static DeliverySettings settings(String routes) {
        return settings(routes, true, false);
    }

    static DeliverySettings settings(String routes, boolean requirePrimaryKey, boolean allowPartialPublication) {
        return new DeliverySettings(
                Routes.parse(routes),
                DeliverySettings.AckMode.COMPLETED,
                DeliverySettings.UnlistedTables.STOP,
                DeliverySettings.SnapshotMode.INITIAL,
                DeliverySettings.OnStateLoss.RESNAPSHOT,
                2,
                DeliverySettings.Unrepresentable.NULL,
                requirePrimaryKey,
                allowPartialPublication,
                10_000,
                16 << 20,
                64 << 20,
                Duration.ofMillis(50),
                4,
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofMinutes(2),
                Duration.ofSeconds(20),
                Duration.ofSeconds(10),
                DeliverySettings.DriftPolicy.REPORT,
                Path.of("state.json"));
    }
}
