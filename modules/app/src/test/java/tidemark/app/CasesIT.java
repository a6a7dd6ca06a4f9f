package tidemark.app;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tidemark.replication.TestPostgres;
import tidemark.standin.FelderaStandin;
import tidemark.standin.StandinSettings;

/**
 * Every case, one after the other, with the service as it is shipped, against one PostgreSQL and one stand-in: a
 * database and a pipeline for each. Not part of the fast lane: {@code ./dev it --case 07}.
 *
 * <p>A case of {@code cases/pending.txt} must fail, so that the file shrinks; every other one must hold.
 */
@Tag("cases")
class CasesIT {
    /**
     * Ours and the stand-in's alike. Feldera's 30 s would be waited for at every start after a kill; much shorter, and
     * a busy machine would answer 503.
     */
    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(3);

    private static final Map<String, String> PENDING = CaseFiles.pending();
    private static final CaseReport REPORT = new CaseReport();

    @TempDir
    static Path folder;

    private static Optional<FelderaStandin> feldera = Optional.empty();
    private static String about = "";

    @BeforeAll
    static void start() {
        feldera = Optional.of(FelderaStandin.start(StandinSettings.defaults().withApiServerLimit(REQUEST_LIMIT)));
    }

    @AfterAll
    static void stop() {
        feldera.ifPresent(FelderaStandin::close);
        System.out.println(REPORT.text(about));
    }

    @TestFactory
    Stream<DynamicTest> cases() {
        CaseSelection selection = CaseSelection.fromProperties();
        String version = TestPostgres.shared().query("postgres", "SELECT current_setting('server_version')");
        about = "PostgreSQL %s, %s".formatted(version, selection.words());
        System.out.println(about);
        return selection.cases().stream().map(plan -> dynamicTest(plan.id() + " " + plan.title(), () -> check(plan)));
    }

    /** Whatever becomes of it, it gets its line in the table, which is written at once: a run may be cut short. */
    private static void check(Case plan) throws InterruptedException, IOException {
        long began = System.nanoTime();
        Optional<String> pending = Optional.ofNullable(PENDING.get(plan.id()));
        CaseReport.State state = CaseReport.State.FAIL;
        try {
            CaseJudge.Verdict verdict = run(plan);
            state = CaseReport.State.of(verdict, pending.isPresent());
            switch (state) {
                case PASS, REFUSED -> {}
                case PENDING -> Assumptions.abort("pending: %s%n%s".formatted(pending.orElseThrow(), verdict));
                case FAIL -> throw new AssertionError(verdict.toString());
            }
        } finally {
            System.out.println(REPORT.add(plan, state, Duration.ofNanos(System.nanoTime() - began)));
            Files.writeString(Path.of("target", "cases.txt"), REPORT.text(about));
        }
    }

    private static CaseJudge.Verdict run(Case plan) throws InterruptedException, IOException {
        Path own = Files.createDirectory(folder.resolve("case_" + plan.id().replaceAll("\\W", "_")));
        try (var source = new CaseSource(TestPostgres.shared(), plan);
                var run = new CaseRun(plan, source, feldera.orElseThrow(), REQUEST_LIMIT, own)) {
            try {
                CaseJudge.Verdict verdict = run.run();
                return verdict instanceof CaseJudge.Verdict.Fails(String why)
                        ? new CaseJudge.Verdict.Fails(why + run.lastWords())
                        : verdict;
            } catch (AssertionError failure) {
                return new CaseJudge.Verdict.Fails(failure.getMessage() + run.lastWords());
            }
        }
    }
}
