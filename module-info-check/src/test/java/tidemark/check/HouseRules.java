package tidemark.check;

import java.util.List;
import java.util.regex.Pattern;

/** The rules, after TigerBeetle's {@code tidy.zig}. The style they come from is told in CONTRIBUTING.md. */
final class HouseRules {
    /** Over it there is a noun missing. */
    static final int LINES_OF_A_FILE = 400;

    static final List<HouseRule> ALL = List.of(
            code(
                    "type-name",
                    "\\b(class|record|interface|enum)\\s+(Abstract\\w+"
                            + "|\\w*(Util|Common|Helper|Manager|Service|Processor|Impl)s?(?![a-z]|Test\\b|IT\\b)\\w*)\\b",
                    "the noun it decides about"),
            code(
                    "type-noun",
                    "\\b(class|record|interface|enum)\\s+\\w*(Data|Info|Item)(?![a-z])\\w*",
                    "what it is: a relation, a tuple, an identity"),
            java(
                    "glossary",
                    "(?i)\\b(table ?info|row ?data|initial (load|sync)|full load|ack(ed|nowledged) (lsn|position))\\b",
                    "PostgreSQL's and Feldera's words: relation, tuple, snapshot; accepted, completed, confirmed"),
            code(
                    "sleep",
                    "\\b(Thread|MILLISECONDS|SECONDS)\\.sleep\\s*\\(",
                    "wait for a condition with a deadline, or for an injected clock"),
            new HouseRule(
                    "clock",
                    HouseRules::isCore,
                    inCode("\\b(Instant|Local\\w*|OffsetDateTime|ZonedDateTime)\\.now\\(\\s*\\)"
                            + "|\\bcurrentTimeMillis\\(|\\bnanoTime\\(|\\bClock\\.system"),
                    "an injected InstantSource"),
            new HouseRule(
                    "random",
                    file -> file.isTest() || isCore(file),
                    inCode("\\bnew Random\\(\\s*\\)|\\bThreadLocalRandom\\b|\\bMath\\.random\\b"
                            + "|\\bRandomGenerator\\.getDefault\\b"),
                    "an injected RandomGenerator; in a test a seed that is printed"),
            new HouseRule(
                    "console",
                    HouseRules::isCore,
                    inCode("\\bSystem\\.(out|err)\\b|\\bprintStackTrace\\("),
                    "System.Logger, or a value returned"),
            java(
                    "unfinished",
                    "\\b(TODO|FIXME|XXX)\\b|@Disabled\\b|assumeTrue\\(false",
                    "finish it, or leave it out and say so in docs/guarantees.md"),
            code(
                    "catch-all",
                    "\\bcatch\\s*\\([^)]*\\b(Exception|Throwable)\\b",
                    "the exception that is expected; the rest ends the process"),
            java(
                    "mocks",
                    "\\b(org\\.mockito|Mockito|EasyMock|PowerMock|jmockit)\\b",
                    "a fake with behaviour that passes the same contract"),
            java("null-annotation", "@Nullable\\b|org\\.jspecify", "Optional as a return, or a case of its own"),
            new HouseRule(
                    "machine-path",
                    _ -> true,
                    Pattern.compile("(?<![\\w.$}{-])/(work|root|home|farm|tmp|Users)/"),
                    "a path from the checkout's root, or one that is passed in"),
            new HouseRule(
                    "registry-host",
                    _ -> true,
                    Pattern.compile("(?i)repo1?\\.maven|maven\\.org|pypi\\.org|npmjs\\.|crates\\.io|proxy\\.golang"
                            + "|deb\\.debian|docker\\.io|ghcr\\.io|quay\\.io"),
                    "leave it to the client's own settings"));

    private HouseRules() {}

    private static HouseRule java(String name, String banned, String instead) {
        return new HouseRule(name, SourceFile::isJava, Pattern.compile(banned), instead);
    }

    /** Where a comment may speak of what code may not do. */
    private static HouseRule code(String name, String banned, String instead) {
        return new HouseRule(name, SourceFile::isJava, inCode(banned), instead);
    }

    private static Pattern inCode(String banned) {
        return Pattern.compile("^(?!\\s*(\\*|//|/\\*)).*(" + banned + ")");
    }

    /** Main code below app: what a simulation runs in virtual time. */
    private static boolean isCore(SourceFile file) {
        return file.isMainOf("decode", "replication", "sink", "delivery");
    }
}
