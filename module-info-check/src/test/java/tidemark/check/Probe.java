package tidemark.check;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** Compiles one more class into a module that is already built, as if somebody had added it to the sources. */
final class Probe {
    private final List<Path> modulePath;
    private final Path scratch;

    Probe(List<Path> modulePath, Path scratch) {
        this.modulePath = modulePath;
        this.scratch = scratch;
    }

    /** The compiler's errors, each as {@code key: message}; empty when a class of that module may use the type. */
    List<String> errorsOf(String module, String type) throws IOException {
        Path sources = Files.createDirectories(scratch.resolve("sources"));
        Path file = Files.createDirectories(sources.resolve(module.replace('.', '/')))
                .resolve("Intruder.java");
        String simpleName = type.substring(type.lastIndexOf('.') + 1);
        Files.writeString(file, """
                package %s;

                import %s;

                interface Intruder {
                    Class<?> KNOWN = %s.class;
                }
                """.formatted(module, type, simpleName));
        return compile(module, sources, file);
    }

    private List<String> compile(String module, Path sources, Path file) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var diagnostics = new DiagnosticCollector<JavaFileObject>();
        String path = modulePath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        List<String> options = List.of(
                "--module-path",
                path,
                "--patch-module",
                module + "=" + sources,
                "-d",
                Files.createDirectories(scratch.resolve("classes")).toString(),
                "-proc:none");
        try (var files = compiler.getStandardFileManager(diagnostics, Locale.ROOT, StandardCharsets.UTF_8)) {
            compiler.getTask(null, files, diagnostics, options, null, files.getJavaFileObjects(file))
                    .call();
        }
        return diagnostics.getDiagnostics().stream()
                .filter(found -> found.getKind() == Diagnostic.Kind.ERROR)
                .map(found -> found.getCode() + ": " + found.getMessage(Locale.ROOT))
                .toList();
    }
}
