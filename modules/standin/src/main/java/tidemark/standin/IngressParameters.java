package tidemark.standin;

import jakarta.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The query parameters of one POST to {@code /ingress} that name an endpoint together with the table's spelling
 * (feldera.md 1.2, 1.3). {@code force} is not part of the identity; unknown parameters are ignored.
 */
record IngressParameters(String table, Format format, boolean array, Lines lines) {
    enum Format {
        INSERT_DELETE,
        RAW,
        /** Weighted and redis, whose parsers panic (feldera.md 12). */
        PANICS,
        /** Of SQL's INSERT, which nobody can name in a URL. */
        AD_HOC
    }

    enum Lines {
        MULTIPLE,
        SINGLE
    }

    private static final String UPDATE_FORMATS = "`insert_delete`, `weighted`, `debezium`, `snowflake`, `raw`, `redis`";
    private static final List<String> OTHER_UPDATE_FORMATS = List.of("debezium");
    private static final List<String> OTHER_FORMATS = List.of("csv", "parquet", "avro");

    static IngressParameters of(String table, QueryParameters query) {
        String format = query.first("format").orElse("csv");
        if (OTHER_FORMATS.contains(format)) {
            throw unsupported("format=" + format + (query.first("format").isEmpty() ? ", the default," : ""));
        }
        if (!format.equals("json")) {
            throw unknownFormat(table, format);
        }
        Optional<String> flavor = query.first("json_flavor").filter(name -> !name.equals("default"));
        if (flavor.isPresent()) {
            throw unsupported("json_flavor=" + flavor.get());
        }
        return new IngressParameters(
                table, updateFormat(table, query), flag(table, query, "array"), lines(table, query));
    }

    private static Format updateFormat(String table, QueryParameters query) {
        String name = query.first("update_format").orElse("insert_delete");
        if (OTHER_UPDATE_FORMATS.contains(name)) {
            throw unsupported("update_format=" + name);
        }
        return switch (name) {
            case "insert_delete" -> Format.INSERT_DELETE;
            case "raw" -> Format.RAW;
            case "weighted", "redis" -> Format.PANICS;
            case "snowflake" -> throw notSupported(table, name);
            default ->
                throw badParameter(table, query, "unknown variant `" + name + "`, expected one of " + UPDATE_FORMATS);
        };
    }

    private static Lines lines(String table, QueryParameters query) {
        String name = query.first("lines").orElse("multiple");
        return switch (name) {
            case "multiple" -> Lines.MULTIPLE;
            case "single" -> Lines.SINGLE;
            default ->
                throw badParameter(table, query, "unknown variant `" + name + "`, expected `multiple` or `single`");
        };
    }

    private static boolean flag(String table, QueryParameters query, String name) {
        String value = query.first(name).orElse("false");
        if (!value.equals("true") && !value.equals("false")) {
            throw badParameter(table, query, "provided string was not `true` or `false`");
        }
        return value.equals("true");
    }

    static IngressParameters adHoc(SqlName table) {
        String spelling = table.caseSensitive() ? '"' + table.text() + '"' : table.text();
        return new IngressParameters(spelling, Format.AD_HOC, false, Lines.MULTIPLE);
    }

    private static ApiError notSupported(String table, String updateFormat) {
        String endpoint = table + ".api-ingress-json";
        String error = "the '" + updateFormat + "' update format is not supported for HTTP input";
        return new ApiError(
                400,
                "ConfigError.InputFormatNotSupported",
                "invalid controller configuration: input endpoint '" + endpoint + "': " + error,
                Json.createObjectBuilder()
                        .add(
                                "config_error",
                                Json.createObjectBuilder()
                                        .add("endpoint_name", endpoint)
                                        .add("error", error))
                        .build());
    }

    private static ApiError unknownFormat(String table, String format) {
        String endpoint = table + ".api-ingress-" + format;
        return new ApiError(
                400,
                "ConfigError.UnknownInputFormat",
                "invalid controller configuration: Input endpoint '" + endpoint + "' specifies unknown input format '"
                        + format + "'",
                Json.createObjectBuilder()
                        .add(
                                "config_error",
                                Json.createObjectBuilder()
                                        .add("endpoint_name", endpoint)
                                        .add("format_name", format))
                        .build());
    }

    private static ApiError badParameter(String table, QueryParameters query, String error) {
        String endpoint = table + ".api-ingress-json";
        return new ApiError(
                400,
                "ConfigError.ParserConfigParseError",
                "invalid controller configuration: Error parsing format configuration for input endpoint '" + endpoint
                        + "': " + error + "\nInvalid configuration: " + query.raw(),
                Json.createObjectBuilder()
                        .add(
                                "config_error",
                                Json.createObjectBuilder()
                                        .add("config", query.raw())
                                        .add("endpoint_name", endpoint)
                                        .add("error", error))
                        .build());
    }

    /** Feldera would take it; the stand-in says that it cannot, rather than to do something else. */
    private static ApiError unsupported(String what) {
        return new ApiError(
                400,
                "UnsupportedByStandin",
                what + " is not supported by the stand-in: use format=json with"
                        + " update_format=insert_delete or raw and the default flavor");
    }

    /** {@code {table}.api-ingress-{16 hex}}: the same for the same spelling and parameters, also after a restart. */
    String endpointName() {
        String identity = format + "/" + array + "/" + lines;
        var high = new CRC32();
        high.update(identity.getBytes(StandardCharsets.UTF_8));
        var low = new CRC32();
        low.update((table + "/" + identity).getBytes(StandardCharsets.UTF_8));
        return table + ".api-ingress-" + HexFormat.of().toHexDigits(high.getValue() << 32 | low.getValue());
    }
}
