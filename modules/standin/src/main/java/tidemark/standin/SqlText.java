package tidemark.standin;

import java.util.ArrayList;
import java.util.List;

/**
 * SQL cut into tokens, and read from left to right. Knows comments, quoted identifiers and strings with doubled quotes;
 * used by the program and by queries.
 */
final class SqlText {
    enum Kind {
        WORD,
        QUOTED,
        NUMBER,
        STRING,
        SYMBOL,
        END
    }

    /**
     * @param text without quotes
     * @param start offset in the SQL
     */
    record Token(Kind kind, String text, int start, int end, int line, int column) {
        boolean isWord(String word) {
            return kind == Kind.WORD && text.equalsIgnoreCase(word);
        }

        boolean isSymbol(String symbol) {
            return kind == Kind.SYMBOL && text.equals(symbol);
        }
    }

    private final String sql;
    private final List<Token> tokens = new ArrayList<>();
    private int next;

    SqlText(String sql) {
        this.sql = sql;
        int at = 0;
        while (at < sql.length()) {
            at = tokenize(at);
        }
        tokens.add(token(Kind.END, "", sql.length(), sql.length()));
    }

    private int tokenize(int at) {
        char one = sql.charAt(at);
        if (Character.isWhitespace(one)) {
            return at + 1;
        }
        if (sql.startsWith("--", at)) {
            int end = sql.indexOf('\n', at);
            return end < 0 ? sql.length() : end;
        }
        if (sql.startsWith("/*", at)) {
            int end = sql.indexOf("*/", at + 2);
            return end < 0 ? sql.length() : end + 2;
        }
        if (one == '\'' || one == '"') {
            return quoted(at, one);
        }
        int end = at + 1;
        if (Character.isLetter(one) || one == '_') {
            while (end < sql.length() && isWordPart(sql.charAt(end))) {
                end++;
            }
            tokens.add(token(Kind.WORD, sql.substring(at, end), at, end));
        } else if (Character.isDigit(one)) {
            while (end < sql.length() && (isWordPart(sql.charAt(end)) || sql.charAt(end) == '.')) {
                end++;
            }
            tokens.add(token(Kind.NUMBER, sql.substring(at, end), at, end));
        } else {
            String pair = sql.substring(at, Math.min(at + 2, sql.length()));
            end = pair.equals("<=") || pair.equals(">=") || pair.equals("<>") || pair.equals("!=") ? at + 2 : end;
            tokens.add(token(Kind.SYMBOL, sql.substring(at, end), at, end));
        }
        return end;
    }

    private static boolean isWordPart(char one) {
        return Character.isLetterOrDigit(one) || one == '_' || one == '$';
    }

    private int quoted(int at, char quote) {
        var text = new StringBuilder();
        int i = at + 1;
        while (i < sql.length()) {
            char one = sql.charAt(i++);
            if (one == quote) {
                if (i == sql.length() || sql.charAt(i) != quote) {
                    tokens.add(token(quote == '"' ? Kind.QUOTED : Kind.STRING, text.toString(), at, i));
                    return i;
                }
                i++;
            }
            text.append(one);
        }
        throw new SqlRefused("Lexical error: unterminated " + quote, token(Kind.END, "", at, i));
    }

    private Token token(Kind kind, String text, int start, int end) {
        int line = 1;
        int lineStart = 0;
        for (int i = sql.indexOf('\n'); i >= 0 && i < start; i = sql.indexOf('\n', i + 1)) {
            line++;
            lineStart = i + 1;
        }
        return new Token(kind, text, start, end, line, start - lineStart + 1);
    }

    Token peek() {
        return tokens.get(next);
    }

    Token take() {
        Token token = tokens.get(next);
        if (token.kind() != Kind.END) {
            next++;
        }
        return token;
    }

    boolean atEnd() {
        return peek().kind() == Kind.END;
    }

    /** Takes the words if they are next, in this order, or none of them. */
    boolean takeWords(String... words) {
        for (int i = 0; i < words.length; i++) {
            if (!tokens.get(Math.min(next + i, tokens.size() - 1)).isWord(words[i])) {
                return false;
            }
        }
        next += words.length;
        return true;
    }

    boolean takeSymbol(String symbol) {
        if (!peek().isSymbol(symbol)) {
            return false;
        }
        next++;
        return true;
    }

    void expectWord(String word) {
        if (!takeWords(word)) {
            throw expected(word);
        }
    }

    void expectSymbol(String symbol) {
        if (!takeSymbol(symbol)) {
            throw expected("\"" + symbol + "\"");
        }
    }

    SqlName expectName() {
        Token token = peek();
        return switch (token.kind()) {
            case WORD -> {
                next++;
                yield SqlName.unquoted(token.text());
            }
            case QUOTED -> {
                next++;
                yield SqlName.quoted(token.text());
            }
            case NUMBER, STRING, SYMBOL, END -> throw expected("an identifier");
        };
    }

    String expectString() {
        if (peek().kind() != Kind.STRING) {
            throw expected("a string");
        }
        return take().text();
    }

    int expectInteger() {
        try {
            return Integer.parseInt(take().text());
        } catch (NumberFormatException _) {
            next--;
            throw expected("an integer");
        }
    }

    /** The SQL between two tokens, as it was written. */
    String source(Token first, Token afterLast) {
        return sql.substring(first.start(), afterLast.start()).strip();
    }

    SqlRefused expected(String what) {
        Token found = peek();
        String shown = found.kind() == Kind.END ? "<EOF>" : found.text();
        return new SqlRefused("Encountered \"" + shown + "\" where " + what + " was expected", found);
    }
}
