package tidemark.check;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which lines of Java are wider than 120 characters. A quotation is as wide as what it quotes: the inside of a text
 * block, and a line that is nothing but a string, are not counted.
 */
final class LineWidth {
    static final int MAX = 120;

    private static final Pattern STRING_ALONE = Pattern.compile("^\\s*([+:?] )?\".*");
    private static final Pattern TEXT_BLOCK_EDGE = Pattern.compile("\"\"\"");

    private LineWidth() {}

    static List<String> tooWide(SourceFile file) {
        var found = new ArrayList<String>();
        if (!file.isJava()) return found;
        boolean insideTextBlock = false;
        for (int i = 0; i < file.lines().size(); i++) {
            String line = file.lines().get(i);
            boolean isQuotation = insideTextBlock || STRING_ALONE.matcher(line).matches();
            if (line.length() > MAX && !isQuotation) found.add(file.path() + ":" + (i + 1) + ": " + line.strip());
            insideTextBlock ^= TEXT_BLOCK_EDGE.matcher(line).results().count() % 2 == 1;
        }
        return found;
    }
}
