package tidemark.delivery;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import tidemark.decode.Lsn;
import tidemark.replication.ChangeSource;
import tidemark.sink.Destination;

/**
 * A core that is broken on purpose: one defect that somebody could make, as replacements in the sources. Compiled in
 * memory and run by the same simulation, in a class loader of its own; production code knows nothing of it.
 *
 * @param within the simulation sees it in so many seeds
 */
record Mutant(String name, int within, List<Edit> edits) {
    /** @param text exactly as it stands in the source, once */
    record Edit(String file, String text, String replacement) {}

    @Override
    public String toString() {
        return name;
    }

    private static final String PACKAGE = "tidemark.delivery.";

    /** The number of the seed, from 1, that finds it. */
    OptionalLong caughtAfter(int seeds) {
        Method violationOf = simulation();
        for (long seed = 0; seed < seeds; seed++) {
            if (!violation(violationOf, seed).isEmpty()) return OptionalLong.of(seed + 1);
        }
        return OptionalLong.empty();
    }

    /** Empty when every promise held. */
    String violation(long seed) {
        return violation(simulation(), seed);
    }

    private static String violation(Method violationOf, long seed) {
        try {
            return (String) violationOf.invoke(null, seed);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private Method simulation() {
        try {
            Method method = new Loader(compiled())
                    .loadClass(Simulation.class.getName())
                    .getDeclaredMethod("violationOf", long.class);
            method.setAccessible(true);
            return method;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The sources as they are with it, by their files' names. */
    Map<String, String> edited() {
        Map<String, String> sources = new HashMap<>();
        for (Edit edit : edits) {
            String source = sources.computeIfAbsent(edit.file, Mutant::source);
            if (source.indexOf(edit.text) < 0 || source.indexOf(edit.text) != source.lastIndexOf(edit.text)) {
                throw new IllegalStateException(
                        "mutant \"%s\": %s does not have this text once:%n%s".formatted(name, edit.file, edit.text));
            }
            sources.put(edit.file, source.replace(edit.text, edit.replacement));
        }
        return sources;
    }

    private Map<String, byte[]> compiled() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var complaints = new StringWriter();
        try (var classes = new InMemory(compiler.getStandardFileManager(null, null, null))) {
            List<Source> units = new ArrayList<>();
            edited().forEach((file, text) -> units.add(new Source(file, text)));
            List<String> options = List.of("-proc:none", "-nowarn", "-cp", classPath());
            if (!compiler.getTask(complaints, classes, null, options, null, units)
                    .call()) {
                throw new IllegalStateException("mutant \"%s\" does not compile:%n%s".formatted(name, complaints));
            }
            return classes.bytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String source(String file) {
        Path fromModule = Path.of("src/main/java/tidemark/delivery", file);
        try {
            return Files.readString(
                    Files.exists(fromModule)
                            ? fromModule
                            : Path.of("modules/delivery").resolve(fromModule));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String classPath() {
        List<String> parts = new ArrayList<>();
        for (Class<?> of :
                List.of(Sessions.class, Lsn.class, ChangeSource.class, Destination.class, jakarta.json.Json.class)) {
            parts.add(Path.of(URI.create(of.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toString()))
                    .toString());
        }
        return String.join(java.io.File.pathSeparator, parts);
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String file, String text) {
            super(URI.create("string:///tidemark/delivery/" + file), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Compiled extends SimpleJavaFileObject {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Compiled(String name) {
            super(URI.create("mem:///" + name + ".class"), Kind.CLASS);
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, Compiled> classes = new HashMap<>();

        InMemory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return classes.computeIfAbsent(name, Compiled::new);
        }

        Map<String, byte[]> bytes() {
            Map<String, byte[]> bytes = new HashMap<>();
            classes.forEach((name, compiled) -> bytes.put(name, compiled.bytes.toByteArray()));
            return bytes;
        }
    }

    /** Of this package everything is its own: package-private access ends at a class loader. */
    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> mutated;

        Loader(Map<String, byte[]> mutated) {
            super(Mutant.class.getClassLoader());
            this.mutated = mutated;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(PACKAGE)) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            byte[] bytes = mutated.containsKey(name) ? mutated.get(name) : original(name);
            return defineClass(name, bytes, 0, bytes.length, (ProtectionDomain) null);
        }

        private byte[] original(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) throw new ClassNotFoundException(name);
                return in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
