package tidemark.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * In a JVM of its own, with options of the test's choice. Its standard input is its life: it stops when that ends, also
 * because this JVM died. What it says is ASCII, whatever it believes the default charset to be.
 */
final class CarrierProcess implements Carrier {
    private static final String NULLED = "nulled ";

    private final Process process;
    private final CompletableFuture<List<String>> said = new CompletableFuture<>();
    private final CompletableFuture<String> defaults = new CompletableFuture<>();

    CarrierProcess(TripEnds ends, List<String> options) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), CarrierProcess.class.getName()));
        command.addAll(ends.words());
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::listen);
    }

    private void listen() {
        List<String> lines = new ArrayList<>();
        try (var output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.ISO_8859_1))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                if (lines.size() == 1) defaults.complete(line);
            }
        } catch (IOException e) {
            lines.add(e.toString());
        }
        defaults.complete("it said nothing");
        said.complete(lines);
    }

    /** Its locale, its default charset, and how it prints the number 10. */
    String defaults() {
        return defaults.join();
    }

    @Override
    public void expectRunning() {
        if (!process.isAlive()) throw new AssertionError("it ended: " + String.join("\n", said.join()));
    }

    @Override
    public List<NulledValues.Count> stop() {
        List<String> lines = end();
        assertThat(lines).as("what it said").last().isEqualTo(ExitCode.DRAINED.name());
        return lines.stream()
                .filter(line -> line.startsWith(NULLED))
                .map(line -> line.split(" ", -1))
                .map(words -> new NulledValues.Count(words[1], words[2], Long.parseLong(words[3])))
                .toList();
    }

    private List<String> end() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(3, TimeUnit.MINUTES)) throw new AssertionError("it does not end");
            return said.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        try {
            end();
        } finally {
            process.destroyForcibly();
        }
    }

    /** The other JVM. */
    public static void main(String[] words) throws IOException {
        System.out.println("locale=%s charset=%s ten=%s"
                .formatted(Locale.getDefault().toLanguageTag(), Charset.defaultCharset(), hex("%d".formatted(10))));
        try (var carrier = new CarrierHere(TripEnds.of(words))) {
            int told = System.in.read();
            if (told >= 0) throw new IllegalStateException("nothing is said to it");
            carrier.stop()
                    .forEach(count -> System.out.println(
                            NULLED + count.table() + " " + count.column() + " " + Long.toString(count.values())));
        }
        System.out.println(ExitCode.DRAINED.name());
    }

    private static String hex(String text) {
        var hex = new StringBuilder();
        text.chars().forEach(unit -> hex.append(Integer.toHexString(unit)).append('.'));
        return hex.toString();
    }
}
