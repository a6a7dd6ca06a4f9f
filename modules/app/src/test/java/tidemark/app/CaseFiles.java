package tidemark.app;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The cases of this checkout, in the order of their numbers, and those of them that do not hold yet. */
final class CaseFiles {
    static final Path FOLDER = Path.of("src", "test", "resources", "cases");

    private CaseFiles() {}

    static List<Case> all() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .flatMap(file -> variants(read(file)).stream())
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The Feldera program that holds the tables of all cases. */
    static String program() {
        return read(FOLDER.resolve("program.sql"));
    }

    /** Why a case does not hold yet, by its id. */
    static Map<String, String> pending() {
        return table("pending.txt");
    }

    /** About what a case takes on two cores, by its id. */
    static Map<String, Integer> seconds() {
        Map<String, Integer> seconds = new TreeMap<>();
        table("seconds.txt").forEach((id, number) -> seconds.put(id, Integer.valueOf(number)));
        return seconds;
    }

    /** Lines of {@code id | what is said of it}, and comments. */
    private static Map<String, String> table(String file) {
        Map<String, String> entries = new TreeMap<>();
        read(FOLDER.resolve(file)).lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            String[] parts = line.split(" \\| ", 2);
            if (parts.length != 2) throw new IllegalArgumentException(file + ": an id alone: " + line);
            entries.put(parts[0], parts[1]);
        });
        return entries;
    }

    /** A case as many times as it has variants; a variant's keys replace the case's. */
    static List<Case> variants(String yaml) {
        JsonObject file = CaseFields.json(new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml))
                .asJsonObject();
        String id = file.getString("id");
        JsonArray variants = (JsonArray) file.getOrDefault("variants", JsonValue.EMPTY_JSON_ARRAY);
        if (variants.isEmpty()) return List.of(parse(id, file));
        List<Case> cases = new ArrayList<>();
        for (JsonValue variant : variants) {
            JsonObject replacing = variant.asJsonObject();
            JsonObjectBuilder merged = Json.createObjectBuilder(file).remove("variants");
            replacing.forEach(merged::add);
            cases.add(parse(id + "/" + replacing.getString("name"), merged.build()));
        }
        return cases;
    }

    private static Case parse(String id, JsonObject keys) {
        var fields = new CaseFields(id, keys);
        List.of("id", "name", "expect").forEach(fields::value);
        Case read = Case.of(id, fields);
        fields.requireNothingElse();
        return read;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
