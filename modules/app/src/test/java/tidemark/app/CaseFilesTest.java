package tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaseFilesTest {
    private static final String SMALL = """
            id: "90"
            title: A small one
            tables: [{pg: public.t, feldera: t}]
            check: [{same: {}}]
            """;

    @Test
    void everyCaseIsReadAndHasAnIdOfItsOwn() {
        List<Case> cases = CaseFiles.all();
        assertThat(cases).extracting(Case::id).doesNotHaveDuplicates().contains("01", "34", "14/frozen");
        assertThat(cases).allSatisfy(one -> assertThat(one.areas()).isNotEmpty());
    }

    @Test
    void everyPendingCaseExistsAndHasAReason() {
        assertThat(CaseFiles.all())
                .extracting(Case::id)
                .containsAll(CaseFiles.pending().keySet());
        assertThat(CaseFiles.pending().values())
                .allSatisfy(reason -> assertThat(reason).isNotBlank());
    }

    @Test
    void aVariantReplacesTheKeysOfItsCase() {
        List<Case> cases = CaseFiles.variants(SMALL + """
                setup: A
                variants: [{name: one}, {name: other, setup: B}]
                """);
        assertThat(cases).extracting(Case::id).containsExactly("90/one", "90/other");
        assertThat(cases).extracting(Case::setup).containsExactly("A", "B");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "chekc: [{same: {}}]",
                "steps: [{sqll: SELECT 1}]",
                "steps: [{sql: SELECT 1, sesion: A}]",
                "steps: [{start: {wiat: none}}]",
                "steps: [{assert: {slott: {past: m}}}]",
                "steps: [{assert: {refused: {code: [65]}}}]"
            })
    void aMisspeltKeyIsRefused(String line) {
        assertThatThrownBy(() -> CaseFiles.variants(SMALL + line)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aCaseThatChecksNothingIsRefused() {
        assertThatThrownBy(() -> CaseFiles.variants(SMALL.replace("[{same: {}}]", "[]")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("checks nothing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{same: {tables: [u]}}",
                "{rows: {u: []}}",
                "{identical: {u: [[1, 2]]}}",
                "{slot: {never_past: m}}",
                "{refused: {codes: [65], slot_not_past: m}}",
                "{log: {match: x, since: before}}",
                "{log: {name: second, match: x}}",
                "{alive: {name: second, is: false}}",
                "{any: [[{same: {}}], [{slot: {past: m}}]]}",
                "{any: [[{same: {}}], []]}"
            })
    void aCheckThatCouldNotFailIsRefused(String check) {
        String file = SMALL.replace("{same: {}}", check);
        assertThatThrownBy(() -> CaseFiles.variants(file)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void everyCaseHasACostInSeconds() {
        Set<String> ids = CaseFiles.all().stream().map(Case::id).collect(Collectors.toSet());
        assertThat(CaseFiles.seconds().keySet()).isEqualTo(ids);
        assertThat(CaseFiles.seconds().values()).allMatch(cost -> cost > 0);
    }

    @Test
    void semicolonsBetweenQuotesEndNoStatement() {
        assertThat(SqlScript.statements("INSERT INTO \"a;b\" VALUES ('x;''y');; COMMIT;\n"))
                .containsExactly("INSERT INTO \"a;b\" VALUES ('x;''y')", "COMMIT");
    }
}
