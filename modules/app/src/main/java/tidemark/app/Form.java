package tidemark.app;

import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How the text of a setting becomes its value, and what else it could have been.
 *
 * @param type one word for docs/configuration.md
 * @param range what is accepted, in words; the remedy of every value that is not
 * @param read throws {@link Unfit} for text that it cannot take
 */
record Form<T>(String type, String range, Function<String, T> read) {

    /** The text is not one of this form. The reason follows the key: "is not a whole number". */
    static final class Unfit extends RuntimeException {
        private final String reason;

        Unfit(String reason) {
            super(reason);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    static final long KIB = 1024;
    static final long MIB = 1024 * KIB;
    static final long GIB = 1024 * MIB;
    private static final String BEARER_RANGE = "printable ASCII characters without blanks";
    private static final Pattern BEARER = Pattern.compile("[!-~]+");
    private static final Pattern BYTES = Pattern.compile("(\\d{1,18})\\s*([A-Za-z]*)");

    static Form<String> text(String range, Pattern pattern) {
        return new Form<>("text", range, text -> {
            if (!pattern.matcher(text).matches()) throw new Unfit("is '%s'".formatted(text));
            return text;
        });
    }

    /** Anything, never echoed. */
    static Form<String> secret() {
        return new Form<>("secret", "text", Function.identity());
    }

    /** A secret that goes into a header of HTTP. */
    static Form<String> bearerToken() {
        return new Form<>("secret", BEARER_RANGE, Form::bearer);
    }

    static Form<String> bearerTokenFile() {
        Form<String> file = secretFile();
        return new Form<>(
                file.type(),
                "a readable file that holds " + BEARER_RANGE,
                text -> bearer(file.read().apply(text)));
    }

    private static String bearer(String text) {
        if (!BEARER.matcher(text).matches()) throw new Unfit("has characters that no request can carry");
        return text;
    }

    /** The secret is the file's content without the line end that editors and {@code echo} append. */
    static Form<String> secretFile() {
        return new Form<>("file", "a readable file that holds the secret", text -> {
            String content = content(readable(text)).stripTrailing();
            if (content.isEmpty()) throw new Unfit("names the empty file %s".formatted(text));
            return content;
        });
    }

    static Form<Path> readableFile() {
        return new Form<>("file", "a readable PEM file", Form::readable);
    }

    static Form<Path> path() {
        return new Form<>("file", "a path; the directory is made when missing", Form::asPath);
    }

    static Form<Integer> wholeNumber(int least, int most) {
        return new Form<>("whole number", "%d to %d".formatted(least, most), text -> {
            BigDecimal number = number(text);
            if (outside(number, least, most)) throw new Unfit("is %s".formatted(text));
            return number.intValueExact();
        });
    }

    static Form<Long> bytes(long least, long most) {
        String range = "%s to %s; bytes, or with a unit: 512KiB, 16MiB, 1GiB".formatted(inUnits(least), inUnits(most));
        return new Form<>("bytes", range, text -> {
            Matcher parts = BYTES.matcher(text);
            if (!parts.matches()) throw new Unfit("is '%s'".formatted(text));
            BigDecimal bytes = number(parts.group(1)).multiply(BigDecimal.valueOf(unit(parts.group(2))));
            if (outside(bytes, least, most)) throw new Unfit("is %s".formatted(text));
            return bytes.longValueExact();
        });
    }

    static Form<Duration> duration(Duration least, Duration most) {
        return new Form<>("duration", "%s to %s, as ISO 8601 writes durations".formatted(least, most), text -> {
            Duration duration = parseDuration(text);
            if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) throw new Unfit("is %s".formatted(text));
            return duration;
        });
    }

    static Form<Boolean> yesOrNo() {
        return new Form<>("boolean", "true or false", text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new Unfit("is '%s'".formatted(text));
        });
    }

    static Form<String> oneOf(String... words) {
        List<String> all = List.of(words);
        return new Form<>("word", String.join(" | ", all), text -> {
            if (!all.contains(text)) throw new Unfit("is '%s'".formatted(text));
            return text;
        });
    }

    /** The constants' names in lower case. */
    static <E extends Enum<E>> Form<E> oneOf(Class<E> constants) {
        E[] all = constants.getEnumConstants();
        String words = Arrays.stream(all).map(Form::word).collect(Collectors.joining(" | "));
        return new Form<>(
                "word",
                words,
                text -> Arrays.stream(all)
                        .filter(constant -> word(constant).equals(text))
                        .findFirst()
                        .orElseThrow(() -> new Unfit("is '%s'".formatted(text))));
    }

    /** The base of an HTTP API. Its text is not echoed: it may carry credentials. */
    static Form<URI> httpBase() {
        return new Form<>("URL", "http://host:port or https://host:port, without user, query or /v0", text -> {
            URI uri = parseUri(text);
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (!http || uri.getHost() == null) throw new Unfit("is not an http or https URL with a host");
            if (uri.getRawUserInfo() != null) throw new Unfit("carries credentials");
            if (uri.getRawQuery() != null || uri.getRawFragment() != null)
                throw new Unfit("carries a query or fragment");
            if (uri.getPath().replaceFirst("/+$", "").endsWith("/v0"))
                throw new Unfit("ends with /v0, which is appended");
            return uri;
        });
    }

    /** To listen on. Helidon would meet a name that does not resolve with a stack trace. */
    static Form<String> host() {
        return new Form<>("text", "an address or host name", text -> {
            try {
                InetAddress.getByName(text);
                return text;
            } catch (UnknownHostException _) {
                throw new Unfit("is '%s', which does not resolve".formatted(text));
            }
        });
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Path asPath(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException _) {
            throw new Unfit("is not a path: '%s'".formatted(text));
        }
    }

    private static Path readable(String text) {
        Path path = asPath(text);
        if (!Files.isRegularFile(path) || !Files.isReadable(path))
            throw new Unfit("names %s, which cannot be read".formatted(text));
        return path;
    }

    private static String content(Path path) {
        try {
            return Files.readString(path, StandardCharsets.UTF_8);
        } catch (java.io.IOException _) {
            throw new Unfit("names %s, which is not readable UTF-8 text".formatted(path));
        }
    }

    private static BigDecimal number(String text) {
        if (!text.matches("-?\\d{1,18}")) throw new Unfit("is '%s', not a whole number".formatted(text));
        return new BigDecimal(text);
    }

    private static boolean outside(BigDecimal number, long least, long most) {
        return number.compareTo(BigDecimal.valueOf(least)) < 0 || number.compareTo(BigDecimal.valueOf(most)) > 0;
    }

    private static long unit(String name) {
        return switch (name) {
            case "", "B" -> 1;
            case "KiB" -> KIB;
            case "MiB" -> MIB;
            case "GiB" -> GIB;
            default -> throw new Unfit("has the unit '%s'".formatted(name));
        };
    }

    private static String inUnits(long bytes) {
        if (bytes % GIB == 0) return bytes / GIB + "GiB";
        if (bytes % MIB == 0) return bytes / MIB + "MiB";
        return bytes / KIB + "KiB";
    }

    private static Duration parseDuration(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException _) {
            throw new Unfit("is '%s', not a duration such as PT60S".formatted(text));
        }
    }

    private static URI parseUri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException _) {
            throw new Unfit("is not a URL");
        }
    }
}
