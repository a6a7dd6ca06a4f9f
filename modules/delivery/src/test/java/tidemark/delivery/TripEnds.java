package tidemark.delivery;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tidemark.replication.PostgresSettings;
import tidemark.sink.FelderaClient;
import tidemark.sink.FelderaSettings;

/**
 * What a connector of a round trip is told; as words, so that it can be told to another JVM.
 *
 * @param postgresUrl a superuser's, without TLS; the database's name is the slot's
 * @param tables by the same name at both ends
 */
record TripEnds(String postgresUrl, String felderaUrl, Path stateFile, List<String> tables) {
    static final String PUBLICATION = "pub";
    static final String PIPELINE = "p";
    private static final int MAX_ROWS = 2000;

    List<String> words() {
        return List.of(postgresUrl, felderaUrl, stateFile.toString(), String.join(",", tables));
    }

    static TripEnds of(String... words) {
        return new TripEnds(words[0], words[1], Path.of(words[2]), List.of(words[3].split(",", -1)));
    }

    String slot() {
        return "slot_" + postgresUrl.substring(postgresUrl.lastIndexOf('/') + 1);
    }

    PostgresSettings postgres() {
        return new PostgresSettings(
                postgresUrl,
                "postgres",
                Optional.empty(),
                "disable",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                slot(),
                PUBLICATION,
                Duration.ofSeconds(10));
    }

    FelderaClient feldera() {
        return new FelderaClient(new FelderaSettings(
                URI.create(felderaUrl),
                PIPELINE,
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30)));
    }

    DeliverySettings settings() {
        var settings = Settings.of(stateFile, MAX_ROWS, Duration.ofMillis(20), tables.toArray(String[]::new));
        return Settings.keyless(settings, MAX_ROWS);
    }
}
