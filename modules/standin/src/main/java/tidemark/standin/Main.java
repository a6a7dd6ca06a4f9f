package tidemark.standin;

import java.time.Duration;
import java.util.Optional;

/** Runs the stand-in as a process of its own: {@code [--port n] [--step-delay-millis n] [--api-limit-millis n]}. */
public final class Main {
    private Main() {}

    /** Prints one line with the URL and listens until the process ends. */
    @SuppressWarnings("SystemOut") // the line on standard output is what this program promises its parent
    public static void main(String[] arguments) {
        StandinSettings settings = StandinSettings.defaults();
        for (int i = 0; i < arguments.length; i += 2) {
            settings = with(settings, arguments[i], i + 1 < arguments.length ? arguments[i + 1] : "");
        }
        FelderaStandin standin = FelderaStandin.start(settings);
        System.out.println(standin.url());
        System.out.flush();
    }

    private static StandinSettings with(StandinSettings settings, String option, String value) {
        int number = parsed(value).orElseThrow(() -> new IllegalArgumentException(option + " needs a whole number"));
        return switch (option) {
            case "--port" -> settings.withPort(number);
            case "--step-delay-millis" -> settings.withStepDelay(Duration.ofMillis(number));
            case "--api-limit-millis" -> settings.withApiServerLimit(Duration.ofMillis(number));
            default -> throw new IllegalArgumentException("unknown option " + option);
        };
    }

    private static Optional<Integer> parsed(String number) {
        return number.matches("[0-9]{1,9}") ? Optional.of(Integer.parseInt(number)) : Optional.empty();
    }
}
