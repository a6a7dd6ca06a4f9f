package tidemark.demo;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParserFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import tidemark.delivery.ExitCode;

/**
 * Feldera's rows as cells, streamed from one ad-hoc query: one JSON object a line, one row in memory. Owned by one
 * thread.
 *
 * <p>An answer that failed half-way has HTTP status 200 and ends with {@code {"error": …}}: that is a failure here,
 * never an end of the rows.
 */
final class FelderaRows implements Iterator<List<Cell>>, AutoCloseable {
    private static final JsonParserFactory PARSERS = Json.createParserFactory(Map.of());

    private final ComparedTable table;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final BufferedReader lines;
    private Optional<String> line;

    FelderaRows(Pipeline pipeline, ComparedTable table) {
        this.table = table;
        for (int i = 0; i < table.columns().size(); i++) {
            indexes.put(table.columns().get(i).feldera(), i);
        }
        this.lines =
                new BufferedReader(new InputStreamReader(pipeline.query(table.felderaQuery()), StandardCharsets.UTF_8));
        this.line = read();
    }

    @Override
    public boolean hasNext() {
        return line.isPresent();
    }

    @Override
    public List<Cell> next() {
        String row = line.orElseThrow(NoSuchElementException::new);
        line = read();
        return parse(row);
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot end reading " + table.feldera(), e);
        }
    }

    private Optional<String> read() {
        try {
            return Optional.ofNullable(lines.readLine());
        } catch (IOException e) {
            throw new DemoFailure(ExitCode.UNREACHABLE, "Feldera broke off while reading " + table.feldera(), e);
        }
    }

    private List<Cell> parse(String row) {
        Cell[] cells = new Cell[table.columns().size()];
        Arrays.fill(cells, new Cell.Null());
        try (JsonParser parser = PARSERS.createParser(new StringReader(row))) {
            parser.next();
            while (parser.next() == JsonParser.Event.KEY_NAME) {
                String name = parser.getString();
                Integer index = indexes.get(name);
                if (index == null) throw notARow();
                cells[index] = cell(table.columns().get(index).kind(), parser);
            }
            if (parser.hasNext()) throw notARow();
        } catch (JsonException e) {
            throw new DemoFailure(ExitCode.PROTOCOL, "Feldera's rows of %s are not JSON".formatted(table.feldera()), e);
        }
        return List.of(cells);
    }

    private Cell cell(ValueKind kind, JsonParser parser) {
        return switch (parser.next()) {
            case VALUE_NULL -> new Cell.Null();
            case VALUE_TRUE -> kind.ofFeldera("true");
            case VALUE_FALSE -> kind.ofFeldera("false");
            case VALUE_STRING, VALUE_NUMBER -> kind.ofFeldera(parser.getString());
            case START_ARRAY -> kind.ofFeldera(parser.getArray().toString());
            case START_OBJECT, END_ARRAY, END_OBJECT, KEY_NAME -> throw notARow();
        };
    }

    private DemoFailure notARow() {
        return new DemoFailure(
                ExitCode.PROTOCOL,
                "Feldera's answer for %s ends with an error or is no row".formatted(table.feldera()));
    }
}
