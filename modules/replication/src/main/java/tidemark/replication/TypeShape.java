package tidemark.replication;

import java.util.List;

/**
 * What the catalog says of a type as a column, an element or a field uses it: as much as decides how its text is built.
 *
 * <p>Finite: PostgreSQL lets no type contain itself, not even through an array.
 */
public sealed interface TypeShape {
    /** As PostgreSQL prints the type, without its modifier; outside {@code pg_catalog} with its schema. */
    String name();

    /** The type itself, or what is left of it below all domains. */
    default TypeShape belowDomains() {
        TypeShape shape = this;
        while (shape instanceof Domain domain) shape = domain.base();
        return shape;
    }

    /**
     * A type without parts, as far as its text goes.
     *
     * @param oid unsigned 32 bit; means something only below 10000, where it is fixed
     * @param modifier atttypmod, the outermost one given; -1 for none
     * @param extension whose type it is, empty for none: {@code hstore} of the extension hstore has another oid in
     *     every database
     */
    record Scalar(int oid, String name, int modifier, String extension) implements TypeShape {}

    record Enumeration(String name) implements TypeShape {}

    /** A range or a multirange. */
    record Range(String name) implements TypeShape {}

    /** @param notNull as this domain or one beneath declares it */
    record Domain(String name, TypeShape base, boolean notNull) implements TypeShape {}

    /**
     * What {@code array_out} prints; a value's dimensions and bounds are its own. Not int2vector, point and their like.
     *
     * @param delimiter between elements: a comma, a semicolon for box
     */
    record Array(String name, TypeShape element, char delimiter) implements TypeShape {}

    /**
     * @param fields as the catalog showed them, without dropped ones
     * @param whole none was ever dropped, so a value with fewer fields has the first of these
     */
    record Composite(String name, List<Field> fields, boolean whole) implements TypeShape {}

    record Field(String name, TypeShape type) {}

    /** A RELATION at an older point of WAL may name a type that is gone by now. */
    record Unknown(int oid) implements TypeShape {
        @Override
        public String name() {
            return "type with oid " + Integer.toUnsignedString(oid);
        }
    }
}
