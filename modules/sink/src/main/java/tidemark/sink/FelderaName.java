package tidemark.sink;

import java.util.Locale;

/**
 * A table or column name of a Feldera program. {@code text} is exact if {@code caseSensitive} (it was quoted in the
 * program), else canonical: lower case.
 */
public record FelderaName(String text, boolean caseSensitive) implements Comparable<FelderaName> {
    public FelderaName {
        if (!caseSensitive) text = text.toLowerCase(Locale.ROOT);
    }

    /** As the one path segment by which we always address it: quoted if case-sensitive. Not yet percent-encoded. */
    public String spelling() {
        return caseSensitive ? "\"" + text + "\"" : text;
    }

    @Override
    public int compareTo(FelderaName other) {
        return spelling().compareTo(other.spelling());
    }

    @Override
    public String toString() {
        return spelling();
    }
}
