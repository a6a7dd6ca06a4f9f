package tidemark.app;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;

/**
 * SIGTERM, SIGINT and SIGHUP as calls of ours, in place of the JVM's own shutdown, which hears only the first of them
 * (ADR 0007).
 *
 * <p>{@code sun.misc.Signal} is the only way to hear a signal in Java, and jdk.unsupported exports it for that. By
 * reflection, because javac warns of every mention of it, and nothing tells it that one is meant.
 */
final class StopSignals {
    private static final List<String> NAMES = List.of("TERM", "INT", "HUP");

    private StopSignals() {}

    /**
     * From now on each such signal calls {@code stop} with its name, on a thread of its own. One that the process was
     * started to ignore ({@code nohup}) stays ignored.
     *
     * @throws Misconfigured if the JVM was told to leave signals alone
     */
    static void call(Consumer<String> stop) {
        try {
            for (String name : NAMES) call(stop, name);
        } catch (InvocationTargetException refused) {
            throw new Misconfigured(List.of(new SettingProblem(
                    "JAVA_OPTS",
                    "the environment",
                    "leaves no signal to the service (%s), and without SIGTERM no stop is a drained one"
                            .formatted(refused.getCause()),
                    "take -Xrs out of it")));
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("this Java runtime has no sun.misc.Signal", missing);
        }
    }

    private static void call(Consumer<String> stop, String name) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object calling =
                Proxy.newProxyInstance(StopSignals.class.getClassLoader(), new Class<?>[] {handler}, (_, _, _) -> {
                    stop.accept(name); // its one method is void; equals and the like are never asked of it
                    return Void.TYPE;
                });
        signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), calling);
    }
}
