package tidemark.replication;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Which PostgreSQL the tests start: the one on the class path, unless the system properties {@code tidemark.postgres}
 * (a major) and {@code tidemark.postgres.binaries} (a jar with a .txz in it, a .txz, or a directory of them, chosen by
 * major) say otherwise.
 */
record PostgresBinaries(Path archive) implements PgBinaryResolver {
    static EmbeddedPostgres.Builder builder() {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
        chosen().ifPresent(builder::setPgBinaryResolver);
        return builder;
    }

    private static Optional<PostgresBinaries> chosen() {
        return Optional.ofNullable(System.getProperty("tidemark.postgres.binaries"))
                .filter(path -> !path.isBlank())
                .map(path -> new PostgresBinaries(archive(Path.of(path), System.getProperty("tidemark.postgres", ""))));
    }

    private static Path archive(Path path, String major) {
        if (!Files.isDirectory(path)) return path;
        try (Stream<Path> files = Files.walk(path, 2)) {
            return files.filter(file -> file.toString().matches(".*\\.(jar|txz)"))
                    .filter(file -> file.toString().contains("-" + major + "."))
                    .sorted()
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no PostgreSQL %s below %s".formatted(major, path)));
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + path, e);
        }
    }

    @Override
    public InputStream getPgBinary(String system, String machineHardware) throws IOException {
        InputStream file = new BufferedInputStream(Files.newInputStream(archive));
        if (!archive.toString().endsWith(".jar")) return file;
        ZipInputStream jar = new ZipInputStream(file);
        for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
            if (entry.getName().endsWith(".txz")) return jar;
        }
        throw new FileNotFoundException("no .txz in " + archive);
    }
}
