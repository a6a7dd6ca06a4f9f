package tidemark.delivery;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tidemark.delivery.ColumnEncoding.Loss;
import tidemark.sink.FelderaName;
import tidemark.sink.FelderaTable;

/**
 * Decides which PostgreSQL column each Feldera column is filled from, by name: a Feldera name that was quoted in the
 * program matches exactly, another one whatever the case. Used for the catalog's shape at start-up and again for every
 * RELATION.
 *
 * @param bound in Feldera's order
 * @param absent nullable Feldera columns that PostgreSQL lacks: sent as explicit null, as an omitted one would take its
 *     DEFAULT
 * @param ignored PostgreSQL columns that Feldera lacks
 * @param problems rows cannot be delivered while there is one
 * @param warnings rows can be delivered, not all of every value
 */
record ColumnMatch(
        List<Bound> bound,
        List<FelderaTable.Column> absent,
        List<String> ignored,
        List<Finding> problems,
        List<Finding> warnings) {

    /** @param key of Feldera's PRIMARY KEY */
    record Bound(FelderaTable.Column target, SourceColumn source, ValueEncoder encoder, boolean key) {}

    /** @param table how messages name the table */
    static ColumnMatch of(String table, List<SourceColumn> sources, FelderaTable feldera) {
        var match = new ColumnMatch(
                new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        Set<String> used = new HashSet<>();
        for (FelderaTable.Column target : feldera.columns()) {
            var candidates = sources.stream()
                    .filter(source -> matches(target.name(), source.name()))
                    .toList();
            candidates.forEach(source -> used.add(source.name()));
            boolean key = feldera.primaryKey().contains(target.name().text());
            match.place(table, target, candidates, key);
        }
        for (SourceColumn source : sources) {
            if (!used.contains(source.name())) match.ignored.add(source.name());
        }
        match.refuseNamesThatMeetInJson(table, feldera);
        if (match.bound.isEmpty() && match.problems.isEmpty()) {
            match.problems.add(new Finding(table, "no column of it has a name that Feldera's has", "check the route"));
        }
        return match;
    }

    /** A row can be named, if not written: all columns of Feldera's key are bound, and soundly. */
    boolean hasKeyOf(FelderaTable feldera) {
        long keys = bound.stream().filter(Bound::key).count();
        return keys > 0 && keys == feldera.primaryKey().size();
    }

    /** As Feldera folds names, all of Unicode and not just ASCII: its compiler, and its parser's map of columns. */
    static boolean matches(FelderaName feldera, String postgres) {
        return feldera.caseSensitive()
                ? feldera.text().equals(postgres)
                : feldera.text().equals(postgres.toLowerCase(Locale.ROOT));
    }

    private void place(String table, FelderaTable.Column target, List<SourceColumn> candidates, boolean key) {
        String what = table + " column " + target.name();
        if (candidates.size() > 1) {
            problems.add(new Finding(
                    what,
                    "the PostgreSQL columns %s fold onto it"
                            .formatted(String.join(
                                    ", ",
                                    candidates.stream()
                                            .map(source -> SqlName.of(source.name()))
                                            .toList())),
                    "rename one of them, quote the name in the Feldera program, or leave one out of the publication"));
        } else if (candidates.isEmpty()) {
            placeWithoutSource(what, target, key);
        } else {
            bind(what, target, candidates.getFirst(), key);
        }
    }

    private void placeWithoutSource(String what, FelderaTable.Column target, boolean key) {
        if (target.type().nullable() && !key) {
            absent.add(target);
            return;
        }
        String declared = key ? "part of Feldera's PRIMARY KEY" : "NOT NULL in Feldera";
        String despite = target.defaultValue().isPresent() ? ", and its DEFAULT is not what PostgreSQL has" : "";
        problems.add(new Finding(
                what,
                "it is %s and PostgreSQL publishes no such column%s".formatted(declared, despite),
                "add it in PostgreSQL or to the publication, or make it nullable in the Feldera program"));
    }

    private void bind(String what, FelderaTable.Column target, SourceColumn source, boolean key) {
        var place = new ColumnEncoding.Place(key, source.typeIsNewer(), 0);
        switch (ColumnEncoding.of(source.type(), target.type(), place)) {
            case ColumnEncoding.Mapped(ValueEncoder encoder, Loss loss) -> {
                boolean unsound = key && loss instanceof Loss.Digits;
                if (!unsound) bound.add(new Bound(target, source, encoder, key));
                report(
                        what,
                        "%s into %s".formatted(source.typeName(), target.type().declared()),
                        loss,
                        key);
            }
            case ColumnEncoding.Refused(String reason, String remedy) ->
                problems.add(new Finding(what, reason, remedy));
        }
    }

    /** Two rows whose keys lose what told them apart would be one row in Feldera. */
    private void report(String what, String types, Loss loss, boolean key) {
        switch (loss) {
            case Loss.None _ -> {}
            case Loss.Range(String lost) -> warnings.add(narrow(what, types, lost));
            case Loss.Digits(String lost) -> (key ? problems : warnings).add(narrow(what, types, lost));
        }
    }

    private static Finding narrow(String what, String types, String lost) {
        return new Finding(what, types + ": " + lost, "give it a type that takes every value, in the Feldera program");
    }

    /** Feldera's parser finds columns by lower-cased key (feldera.md 5.1). */
    private void refuseNamesThatMeetInJson(String table, FelderaTable feldera) {
        Set<String> seen = new HashSet<>();
        for (FelderaTable.Column column : feldera.columns()) {
            if (!seen.add(column.name().text().toLowerCase(Locale.ROOT))) {
                problems.add(new Finding(
                        table + " column " + column.name(),
                        "another column of the Feldera table has the same name but for case, and Feldera's JSON cannot tell them"
                                + " apart",
                        "rename one of them in the Feldera program"));
            }
        }
    }
}
