package tidemark.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Where things lie in the checkout that this build was started from. */
final class Checkout {
    /** Surefire sets {@code basedir} to the Maven module's own folder. */
    static final Path ROOT = Path.of(System.getProperty("basedir"))
            .toAbsolutePath()
            .normalize()
            .resolve("..")
            .normalize();

    private static final Set<String> NOT_OURS = Set.of(".git", "target", "state", ".idea", ".vscode");
    private static final Set<String> TEXT = Set.of(
            "java",
            "xml",
            "md",
            "sh",
            "yaml",
            "yml",
            "sql",
            "txt",
            "json",
            "html",
            "css",
            "js",
            "properties",
            "config");
    private static final Set<String> TEXT_WITHOUT_SUFFIX = Set.of("dev", "run", "tidemark", "Dockerfile", ".gitignore");

    private Checkout() {}

    /** The folders under {@code modules/}; each is a module named like itself. */
    static List<String> modules() {
        try (var folders = Files.list(ROOT.resolve("modules"))) {
            return folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path compiledClassesOf(String module) {
        return ROOT.resolve("modules").resolve(module).resolve("target/classes");
    }

    /** Every text file that a person wrote. Walked rather than asked of git: a source archive has no git. */
    static List<SourceFile> textFiles() {
        var found = new ArrayList<SourceFile>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return NOT_OURS.contains(folder.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    if (isText(file.getFileName().toString())) found.add(read(file));
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static SourceFile read(Path file) throws IOException {
        String path = ROOT.relativize(file).toString().replace('\\', '/');
        return new SourceFile(path, Files.readAllLines(file, StandardCharsets.UTF_8));
    }

    private static boolean isText(String name) {
        int dot = name.lastIndexOf('.');
        return TEXT_WITHOUT_SUFFIX.contains(name) || (dot > 0 && TEXT.contains(name.substring(dot + 1)));
    }
}
