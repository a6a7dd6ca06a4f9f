package tidemark.standin;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which requests are meant.
 *
 * <p>A route is the path below the pipeline without its parameters and as spelled in the URL: {@code ingress/users},
 * {@code completion_status}, empty for the pipeline itself. A path that is under no pipeline is its own route,
 * {@code /v0/config}.
 *
 * @param method empty for any
 * @param route a star stands for any characters
 */
public record RequestPattern(Optional<String> method, String route) {
    private static final Pattern BELOW_A_PIPELINE = Pattern.compile("/v0/pipelines/[^/]+(?:/(.*))?");

    /** Every request. */
    public static RequestPattern any() {
        return new RequestPattern(Optional.empty(), "*");
    }

    /** Requests of this method to this route. */
    public static RequestPattern of(String method, String route) {
        return new RequestPattern(Optional.of(method), route);
    }

    /** POSTs to this table, as spelled in the URL; a star for every table. */
    public static RequestPattern ingress(String table) {
        return of("POST", "ingress/" + table);
    }

    /** Questions about tokens. */
    public static RequestPattern completionStatus() {
        return of("GET", "completion_status");
    }

    /** Questions for the statistics. */
    public static RequestPattern stats() {
        return of("GET", "stats");
    }

    /** Ad-hoc queries. */
    public static RequestPattern query() {
        return of("GET", "query");
    }

    /** The route of a request's target. */
    static String routeOf(String target) {
        String path = target.split("\\?", 2)[0];
        var below = BELOW_A_PIPELINE.matcher(path);
        return below.matches() ? Optional.ofNullable(below.group(1)).orElse("") : path;
    }

    boolean matches(HttpHead request) {
        return method.map(request.method()::equals).orElse(true) && Pattern.matches(regex(), routeOf(request.target()));
    }

    private String regex() {
        return Arrays.stream(route.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    }
}
