package tidemark.delivery;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tidemark.delivery.ColumnEncoding.Loss;
import tidemark.delivery.ColumnEncoding.Mapped;
import tidemark.delivery.ColumnEncoding.Place;
import tidemark.delivery.ColumnEncoding.Refused;
import tidemark.replication.TypeShape;
import tidemark.sink.FelderaTable;
import tidemark.sink.FelderaTable.ColumnType;
import tidemark.sink.FelderaTable.Parts;

/**
 * Decides about types with parts: arrays into ARRAY, composites into ROW, hstore into MAP, and whatever it is into
 * VARIANT. Part by part as {@link ColumnEncoding} decides about a column, and refused if one part is.
 */
final class NestedEncoding {
    /** Any JSON; JSON's null for SQL's. */
    private static final ColumnType VARIANT =
            new ColumnType("VARIANT", true, Optional.empty(), Optional.empty(), new Parts.None());

    /** Of a number in a VARIANT: Feldera keeps it in a byte. */
    private static final int MAX_SCALE = 255;

    private static final String KEPT =
            "Feldera rounds a number in a VARIANT to 38 digits, and one below 1e-255 to zero";

    private NestedEncoding() {}

    /**
     * Feldera's ARRAY of ARRAY takes two dimensions. Only a domain over an array is an element that is an array, and
     * then the dimensions are one.
     */
    static ColumnEncoding array(TypeShape type, ColumnType target, Place place) {
        if (!(type.belowDomains() instanceof TypeShape.Array array)
                || !(target.parts() instanceof Parts.Component(ColumnType component))) {
            return ColumnEncoding.refused(SourceType.of(type), target);
        }
        int dimensions = 1;
        ColumnType innermost = component;
        boolean nested = array.element().belowDomains() instanceof TypeShape.Array;
        while (!nested && innermost.parts() instanceof Parts.Component(ColumnType inner)) {
            innermost = inner;
            dimensions++;
        }
        var shape = new ArrayValue.Shape(dimensions, dimensions, place.key());
        ColumnEncoding element = ColumnEncoding.of(array.element(), innermost, place.within(dimensions));
        return arrayOf(array, element, innermost.nullable(), shape);
    }

    private static ColumnEncoding arrayOf(
            TypeShape.Array array, ColumnEncoding element, boolean nullable, ArrayValue.Shape shape) {
        return switch (element) {
            case Refused(String reason, String remedy) -> new Refused("its elements: " + reason, remedy);
            case Mapped(ValueEncoder encoder, Loss loss) ->
                new Mapped(
                        new ArrayValue(new PartEncoder(encoder, nullable), array.delimiter(), shape),
                        ofPart("an element", loss, nullable));
        };
    }

    static ColumnEncoding map(TypeShape type, ColumnType target, Place place) {
        SourceType source = SourceType.of(type);
        if (source.type() != PgType.HSTORE
                || !(target.parts() instanceof Parts.Entries(ColumnType key, ColumnType value))
                || !ColumnEncoding.isText(key)) {
            return ColumnEncoding.refused(source, target);
        }
        return switch (ColumnEncoding.of(type(PgType.OTHER, "text"), value, place.within(1))) {
            case Refused(String _, String remedy) ->
                new Refused(
                        "the values of PostgreSQL's hstore are text and do not go into Feldera's " + target.declared(),
                        remedy);
            case Mapped(ValueEncoder encoder, Loss loss) ->
                new Mapped(
                        new MapValue(new PartEncoder(encoder, value.nullable()), false),
                        ofPart("a value", loss, value.nullable()));
        };
    }

    private static TypeShape type(PgType type, String name) {
        return new TypeShape.Scalar(type.oid(), name, -1, "");
    }

    /** By name, as columns are. */
    static ColumnEncoding row(TypeShape type, ColumnType target, Place place) {
        if (!(type.belowDomains() instanceof TypeShape.Composite composite)
                || !(target.parts() instanceof Parts.Fields(List<FelderaTable.Field> wanted))) {
            return ColumnEncoding.refused(SourceType.of(type), target);
        }
        return new Members(place).row(composite, wanted);
    }

    /** Numbers as numbers, booleans as booleans, documents as they are, and what has parts as JSON of them. */
    static ColumnEncoding variant(TypeShape type, ColumnType target, Place place) {
        return switch (type.belowDomains()) {
            case TypeShape.Array array -> {
                // As many dimensions as the value has; a level each.
                var shape = new ArrayValue.Shape(0, ArrayValue.MOST_DIMENSIONS, place.key());
                var levels = place.within(ArrayValue.MOST_DIMENSIONS);
                yield arrayOf(array, ColumnEncoding.of(array.element(), VARIANT, levels), true, shape);
            }
            case TypeShape.Composite composite ->
                looksLikeNumber(composite) ? numberKey(composite) : new Members(place).object(composite);
            case TypeShape.Scalar _,
                    TypeShape.Enumeration _,
                    TypeShape.Range _,
                    TypeShape.Unknown _,
                    TypeShape.Domain _ -> variant(SourceType.of(type), target, place);
        };
    }

    /** As {@link JsonValue} finds of a document; of a type all values are so. */
    private static boolean looksLikeNumber(TypeShape.Composite composite) {
        return !composite.fields().isEmpty()
                && Arrays.equals(
                        composite.fields().getFirst().name().getBytes(StandardCharsets.UTF_8), JsonValue.NUMBER_KEY);
    }

    private static Refused numberKey(TypeShape.Composite composite) {
        return new Refused(
                "the first field of PostgreSQL's %s is named %s, and Feldera's VARIANT would read it as a number"
                        .formatted(
                                composite.name(), composite.fields().getFirst().name()),
                "declare it VARCHAR to get it as text, or a ROW, or rename the field");
    }

    private static ColumnEncoding variant(SourceType source, ColumnType target, Place place) {
        PgType type = source.type();
        if (type == PgType.BOOLEAN) return ColumnEncoding.exact(new BooleanValue());
        if (type == PgType.HSTORE) {
            return ColumnEncoding.exact(new MapValue(new PartEncoder(new TextValue(), true), true));
        }
        if (type.isInteger()) return ColumnEncoding.exact(IntegerValue.whole());
        if (type.isFloat() || type == PgType.NUMERIC) {
            boolean kept = type == PgType.FLOAT4 || (type == PgType.NUMERIC && keepsDigits(source));
            return new Mapped(new JsonNumberValue(), kept ? new Loss.None() : new Loss.Digits(KEPT));
        }
        if (!type.isJson()) return ColumnEncoding.exact(new TextValue());
        var document = new JsonValue(target.nullable(), JsonValue.MAX_DEPTH - place.levels());
        return new Mapped(document, new Loss.Digits(KEPT));
    }

    private static boolean keepsDigits(SourceType numeric) {
        if (!numeric.isConstrained()) return false;
        int scale = numeric.numericScale();
        int digits = numeric.numericPrecision() - Math.min(0, scale);
        return digits <= JsonNumberValue.MAX_INTEGER_DIGITS && scale <= MAX_SCALE;
    }

    /** What a value loses when a part of it does. */
    private static Loss ofPart(String part, Loss loss, boolean nullable) {
        Loss ofNull = nullable
                ? new Loss.None()
                : new Loss.Range("%s that is NULL makes the whole value unrepresentable".formatted(part));
        return switch (loss) {
            case Loss.None _ -> ofNull;
            case Loss.Range(String what) -> new Loss.Range("in %s, %s".formatted(part, what));
            case Loss.Digits(String what) -> new Loss.Digits("in %s, %s".formatted(part, what));
        };
    }

    /** The fields of one composite as members of a JSON object. */
    private static final class Members {
        private final Place place;
        private final List<RowValue.Member> members = new ArrayList<>();
        private final List<String> digits = new ArrayList<>();
        private final List<String> range = new ArrayList<>();
        private Optional<Refused> refused = Optional.empty();
        private String comma = "";

        Members(Place place) {
            this.place = place.within(1);
        }

        ColumnEncoding object(TypeShape.Composite composite) {
            for (TypeShape.Field field : composite.fields()) add(field.name(), field.name(), field.type(), VARIANT);
            return mapped(composite, "}");
        }

        ColumnEncoding row(TypeShape.Composite composite, List<FelderaTable.Field> wanted) {
            refuseNamesThatMeet(composite, wanted);
            List<FelderaTable.Field> absent = new ArrayList<>(wanted);
            for (TypeShape.Field field : composite.fields()) {
                List<FelderaTable.Field> targets = wanted.stream()
                        .filter(target -> ColumnMatch.matches(target.name(), field.name()))
                        .toList();
                if (targets.isEmpty()) {
                    ignore(field);
                    continue;
                }
                FelderaTable.Field target = targets.getFirst();
                if (!absent.remove(target)) refuse(composite, target, "is filled from two fields of it");
                add(field.name(), target.name().text(), field.type(), target.type());
            }
            var tail = new StringBuilder();
            for (FelderaTable.Field target : absent) {
                if (!target.type().nullable()) refuse(composite, target, "is NOT NULL, and it has no such field");
                tail.append(comma)
                        .append(ColumnWriter.jsonKey(target.name().text()))
                        .append("null");
                comma = ",";
            }
            return mapped(composite, tail + "}");
        }

        /** As of columns: Feldera's parser finds them by lower-cased key (feldera.md 5.1). */
        private void refuseNamesThatMeet(TypeShape.Composite composite, List<FelderaTable.Field> wanted) {
            Set<String> seen = new HashSet<>();
            for (FelderaTable.Field target : wanted) {
                if (seen.add(target.name().text().toLowerCase(Locale.ROOT))) continue;
                refuse(composite, target, "differs from another one only by case");
            }
        }

        private void ignore(TypeShape.Field field) {
            members.add(new RowValue.Member.Ignored());
            digits.add("its field %s has no place in the ROW and is left out".formatted(SqlName.of(field.name())));
        }

        private void add(String field, String key, TypeShape type, ColumnType target) {
            switch (ColumnEncoding.of(type, target, place)) {
                case Refused(String reason, String remedy) ->
                    refused = Optional.of(new Refused("field %s: %s".formatted(SqlName.of(field), reason), remedy));
                case Mapped(ValueEncoder encoder, Loss loss) -> {
                    byte[] jsonKey = (comma + ColumnWriter.jsonKey(key)).getBytes(StandardCharsets.UTF_8);
                    members.add(new RowValue.Member.Written(jsonKey, new PartEncoder(encoder, target.nullable())));
                    comma = ",";
                    note(ofPart("field " + SqlName.of(field), loss, target.nullable()));
                }
            }
        }

        private void note(Loss loss) {
            switch (loss) {
                case Loss.None _ -> {}
                case Loss.Range(String what) -> range.add(what);
                case Loss.Digits(String what) -> digits.add(what);
            }
        }

        private void refuse(TypeShape.Composite composite, FelderaTable.Field target, String why) {
            refused = Optional.of(new Refused(
                    "field %s of the ROW that PostgreSQL's %s goes into %s"
                            .formatted(target.name(), composite.name(), why),
                    "change the ROW in the Feldera program"));
        }

        private ColumnEncoding mapped(TypeShape.Composite composite, String tail) {
            if (refused.isPresent()) return refused.get();
            List<String> all = new ArrayList<>(digits);
            all.addAll(range);
            String what = String.join("; ", all);
            Loss ofRange = range.isEmpty() ? new Loss.None() : new Loss.Range(what);
            int fewest = place.newer() && composite.whole() ? 0 : members.size();
            return new Mapped(new RowValue(members, fewest, tail), digits.isEmpty() ? ofRange : new Loss.Digits(what));
        }
    }
}
