package tidemark.app;

import java.nio.file.Path;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;

/**
 * Decides which sources MicroProfile Config has in this process. To be called once, before anything asks for the
 * configuration.
 */
final class ConfigurationSources {
    private ConfigurationSources() {}

    /** @throws Misconfigured if the file cannot be read */
    static Config register(Optional<Path> file) {
        if (file.isEmpty()) return ConfigProvider.getConfig();
        ConfigProviderResolver resolver = ConfigProviderResolver.instance();
        Config config = resolver.getBuilder()
                .addDefaultSources()
                .addDiscoveredSources()
                .addDiscoveredConverters()
                .withSources(ConfigurationFile.read(file.get()))
                .build();
        resolver.registerConfig(config, Thread.currentThread().getContextClassLoader());
        return config;
    }
}
