package tidemark.check;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleDescriptor.Opens;
import java.lang.module.ModuleDescriptor.Requires;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A compiled descriptor as sorted lines, one fact each: a difference reads like a diff of {@code module-info.java}. */
final class DescriptorText {
    private DescriptorText() {}

    static String of(ModuleDescriptor module) {
        var lines = new TreeSet<String>();
        for (Requires required : module.requires()) {
            lines.add("requires " + words(required.modifiers()) + required.name());
        }
        for (Exports exported : module.exports()) lines.add("exports " + exported.source() + to(exported.targets()));
        for (Opens opened : module.opens()) lines.add("opens " + opened.source() + to(opened.targets()));
        for (String used : module.uses()) lines.add("uses " + used);
        module.provides()
                .forEach(provided ->
                        lines.add("provides " + provided.service() + " with " + sorted(provided.providers())));
        for (String inside : module.packages()) lines.add("package " + inside);
        String kind = words(module.modifiers());
        return lines.stream().collect(Collectors.joining("\n", kind + "module " + module.name() + "\n", "\n"));
    }

    private static String words(Set<? extends Enum<?>> modifiers) {
        return modifiers.stream()
                .map(modifier -> modifier.name().toLowerCase(Locale.ROOT) + " ")
                .sorted()
                .collect(Collectors.joining());
    }

    private static String to(Set<String> targets) {
        return targets.isEmpty() ? "" : " to " + sorted(targets);
    }

    private static String sorted(Collection<String> names) {
        return names.stream().sorted().collect(Collectors.joining(", "));
    }
}
