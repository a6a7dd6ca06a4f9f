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

    @BeforeAll
    static void start() {
        feldera = Optional.of(FelderaStandin.start(StandinSettings.defaults().withApiServerLimit(REQUEST_LIMIT)));
    }

    @AfterAll
    static void stop() throws IOException {
        feldera.ifPresent(FelderaStandin::close);
        System.out.println(REPORT.text());
        Files.writeString(Path.of("target", "cases.txt"), REPORT.text());
    }

    @TestFactory
    Stream<DynamicTest> cases() {
        CaseSelection selection = CaseSelection.of(CaseFiles.all(), PENDING.keySet());
        long began = System.nanoTime();
        return selection.cases().stream()
                .takeWhile(_ -> selection
                        .budget()
                        .map(budget -> System.nanoTime() - began < budget.toNanos())
                        .orElse(true))
                .map(plan -> dynamicTest(plan.id() + " " + plan.title(), () -> check(plan)));
    }

    private static void check(Case plan) throws InterruptedException, IOException {
        long began = System.nanoTime();
        CaseJudge.Verdict verdict = run(plan);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        Optional<String> pending = Optional.ofNullable(PENDING.get(plan.id()));
        System.out.println(REPORT.add(plan, state(verdict, pending.isPresent()), took));
        switch (verdict) {
            case CaseJudge.Verdict.Holds _ -> {
                if (pending.isPresent()) throw new AssertionError("it holds now: take it off cases/pending.txt");
            }
            case CaseJudge.Verdict.Fails(String why) -> {
                Assumptions.assumeTrue(pending.isEmpty(), () -> "pending: " + pending.get() + "\n" + why);
                throw new AssertionError(why);
            }
        }
    }

    private static CaseReport.State state(CaseJudge.Verdict verdict, boolean pending) {
        return switch (verdict) {
            case CaseJudge.Verdict.Holds _ when pending -> CaseReport.State.FAIL;
            case CaseJudge.Verdict.Holds(boolean byRefusal) ->
                byRefusal ? CaseReport.State.REFUSED : CaseReport.State.PASS;
            case CaseJudge.Verdict.Fails _ -> pending ? CaseReport.State.PENDING : CaseReport.State.FAIL;
        };
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
