package tidemark.check;

import java.io.File;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Who requires whom among our compiled modules, the jars of the whole build and the JDK.
 *
 * <p>Follows what descriptors say. {@code Configuration.resolve} would not do: one automatic module (pgjdbc, Weld and
 * Jersey are some) pulls in every other on the path, and then everything reaches everything. An automatic module is a
 * leaf here; what a jar without a descriptor uses inside is nobody's promise.
 */
final class ModuleGraph {
    private final Map<String, ModuleDescriptor> modules = new TreeMap<>();
    private final List<Path> path = new ArrayList<>();

    ModuleGraph() {
        for (String module : Checkout.modules()) add(Checkout.compiledClassesOf(module));
        Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getProperty("java.class.path"))
                .map(entry -> Path.of(entry).toAbsolutePath().normalize())
                .filter(entry -> !entry.startsWith(Checkout.ROOT) && isModule(entry))
                .forEach(this::add);
        ModuleFinder.ofSystem()
                .findAll()
                .forEach(found -> modules.putIfAbsent(found.descriptor().name(), found.descriptor()));
    }

    private void add(Path entry) {
        path.add(entry);
        ModuleFinder.of(entry)
                .findAll()
                .forEach(found -> modules.putIfAbsent(found.descriptor().name(), found.descriptor()));
    }

    /** Some jars have names that no module name can be made of; nothing can require them. */
    private static boolean isModule(Path jar) {
        try {
            return !ModuleFinder.of(jar).findAll().isEmpty();
        } catch (FindException e) {
            return false;
        }
    }

    /** Our classes first, then every foreign jar. */
    List<Path> modulePath() {
        return List.copyOf(path);
    }

    boolean has(String module) {
        return modules.containsKey(module);
    }

    /** Every module reached by {@code requires}, each with the chain that leads there. */
    Map<String, List<String>> reachableFrom(String root) {
        var chains = new LinkedHashMap<String, List<String>>(Map.of(root, List.of(root)));
        var open = new ArrayDeque<>(List.of(root));
        while (!open.isEmpty()) {
            String from = open.removeFirst();
            for (String to : requiredBy(from)) {
                if (chains.containsKey(to)) continue;
                var chain = new ArrayList<>(chains.get(from));
                chain.add(to);
                chains.put(to, chain);
                open.addLast(to);
            }
        }
        return chains;
    }

    /** Modules whose exported types the named one may use: its own {@code requires} and what those pass on. */
    Set<String> readBy(String root) {
        var read = new LinkedHashSet<>(requiredBy(root));
        var open = new ArrayDeque<>(read);
        while (!open.isEmpty()) {
            for (Requires passedOn : descriptor(open.removeFirst()).requires()) {
                boolean isTransitive = passedOn.modifiers().contains(Requires.Modifier.TRANSITIVE);
                if (isTransitive && has(passedOn.name()) && read.add(passedOn.name())) open.addLast(passedOn.name());
            }
        }
        return read;
    }

    private List<String> requiredBy(String module) {
        return descriptor(module).requires().stream()
                .filter(required -> !required.modifiers().contains(Requires.Modifier.STATIC))
                .map(Requires::name)
                .filter(this::has)
                .sorted()
                .toList();
    }

    private ModuleDescriptor descriptor(String module) {
        return Optional.ofNullable(modules.get(module))
                .orElseThrow(
                        () -> new AssertionError("module %s is neither compiled nor on the path".formatted(module)));
    }
}
