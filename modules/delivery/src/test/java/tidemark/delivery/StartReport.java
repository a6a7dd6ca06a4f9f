package tidemark.delivery;

import java.util.ArrayList;
import java.util.List;
import tidemark.replication.SourceSession.Publication;
import tidemark.replication.TypeShape;

/** A configuration with eight things wrong, and what the log says of it. */
final class StartReport {
    private static final int INT4 = 23;
    private static final int TEXT = 25;
    private static final int FLOAT8 = 701;
    private static final int INTERVAL = 1186;
    private static final int USER_DEFINED = 20_000;

    private StartReport() {}

    static List<String> eightProblems() {
        TypeShape text = new TypeShape.Scalar(TEXT, "text", -1, "");
        var address = new TypeShape.Composite(
                "public.address", List.of(new TypeShape.Field("street", text), new TypeShape.Field("zip", text)), true);
        var orders = new TableFixture("orders")
                .both("id", INT4, "INTEGER!")
                .source("duration", INTERVAL, "interval", -1)
                .target("duration", "TIME")
                .source("tags", USER_DEFINED, new TypeShape.Array("text[]", text, ','))
                .target("tags", "INTEGER ARRAY")
                .source("ship_to", USER_DEFINED + 1, address)
                .target("ship_to", "ROW(street VARCHAR, city VARCHAR!)")
                .target("placed", "TIMESTAMP!")
                .key("id");
        var rates = new TableFixture("rates")
                .source("id", FLOAT8, "double precision", -1)
                .target("id", "DOUBLE!")
                .key("id");
        var publication =
                new Publication("tidemark", List.of(orders.shape(), rates.shape()), true, true, false, true, true);
        var findings = StartCheck.of(
                publication, List.of(orders.feldera(), rates.feldera()), TableFixture.settings("orders,rates,missing"));
        List<String> lines = new ArrayList<>(findings.report());
        try {
            findings.requireNone();
        } catch (SessionOver refused) {
            lines.add(Sessions.closing(refused.failure()));
        }
        return lines;
    }
}
