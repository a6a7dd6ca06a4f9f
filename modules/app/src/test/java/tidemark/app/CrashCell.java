package tidemark.app;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import tidemark.delivery.CrashPoint;

/** One cell of the crash matrix. */
record CrashCell(CrashPoint point, int afterBatches, CrashWorkload workload) {
    /** All, or, by the system property {@code crash.slice}, as many as that seed has. */
    static List<CrashCell> chosen() {
        List<CrashCell> cells = new ArrayList<>();
        for (CrashPoint point : CrashPoint.values()) {
            for (int after = 1; after <= 3; after++) {
                for (CrashWorkload workload : CrashWorkload.values()) cells.add(new CrashCell(point, after, workload));
            }
        }
        CrashSlice slice = CrashSlice.asked();
        Collections.shuffle(cells, new Random(slice.seed())); // so that points that need the server alone are spread
        return List.copyOf(cells.subList(0, slice.of(cells.size(), 6)));
    }

    String name() {
        return "%s-%d-%s".formatted(point.word(), afterBatches, workload.name().toLowerCase(Locale.ROOT));
    }

    boolean isInATruncate() {
        return point == CrashPoint.MID_TRUNCATE;
    }

    boolean isInAResync() {
        return point == CrashPoint.MID_RESYNC;
    }

    /** Whether the crash is one of the first copy. */
    boolean isInTheCopy() {
        return point == CrashPoint.MID_SNAPSHOT;
    }
}
