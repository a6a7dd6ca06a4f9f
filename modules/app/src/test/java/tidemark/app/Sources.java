package tidemark.app;

import io.helidon.config.mp.MpConfigSources;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Configurations for tests, without the environment of whoever runs them. */
final class Sources {
    /** The least that starts. */
    private static final Map<String, String> LEAST = Map.of(
            "postgres.url", "postgresql://localhost/shop",
            "postgres.user", "replicator",
            "feldera.url", "http://localhost:8080",
            "feldera.pipeline", "shop",
            "tables", "users");

    private Sources() {}

    /** The least that starts, and these on top; an empty value takes one away. */
    static Config least(String... keysAndValues) {
        var all = new HashMap<>(LEAST);
        all.putAll(pairs(keysAndValues));
        return config(MpConfigSources.create("test", all));
    }

    static Config only(String... keysAndValues) {
        return config(MpConfigSources.create("test", pairs(keysAndValues)));
    }

    /** The source, and these above it. */
    static Config of(ConfigSource source, String... keysAndValues) {
        return config(MpConfigSources.create("test", pairs(keysAndValues)), source);
    }

    private static Config config(ConfigSource... sources) {
        return ConfigProviderResolver.instance()
                .getBuilder()
                .withSources(sources)
                .build();
    }

    private static Map<String, String> pairs(String... keysAndValues) {
        var pairs = new HashMap<String, String>();
        for (int i = 0; i < keysAndValues.length; i += 2) pairs.put(keysAndValues[i], keysAndValues[i + 1]);
        // above what it is put on
        if (!pairs.isEmpty()) pairs.put(ConfigSource.CONFIG_ORDINAL, "900");
        return pairs;
    }
}
