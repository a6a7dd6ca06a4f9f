package tidemark.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What one contestant says of one reading, at its end and on one line.
 *
 * @param wall from just before START_REPLICATION, or the beginning of the copy, to the last row
 * @param cpu of the contestant's process meanwhile
 * @param processCpu of its whole life, the start of its JVM included
 * @param peakRssKib VmHWM at its end
 */
record Figures(long rows, Duration wall, Duration cpu, Duration processCpu, long peakRssKib) {
    private static final Pattern LINE = Pattern.compile(
            "figures rows=(\\d+) wall_ns=(\\d+) cpu_ns=(\\d+) process_cpu_ns=(\\d+) peak_rss_kib=(\\d+)");
    private static final Pattern HIGH_WATER = Pattern.compile("VmHWM:\\s+(\\d+) kB");

    /** Asked by the contestant itself: the last two are those of the process that calls. */
    static Figures ofThisProcess(long rows, Duration wall, Duration cpu) throws IOException {
        return new Figures(rows, wall, cpu, cpuOfThisProcess(), peakRssOfThisProcess());
    }

    /** In steps of the kernel's clock tick, 10 ms. */
    static Duration cpuOfThisProcess() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElseThrow(() -> new IllegalStateException("this system does not tell a process its CPU time"));
    }

    private static long peakRssOfThisProcess() throws IOException {
        Matcher found = HIGH_WATER.matcher(Files.readString(Path.of("/proc/self/status")));
        if (!found.find()) throw new IllegalStateException("this system does not tell a process its peak RSS");
        return Long.parseLong(found.group(1));
    }

    String line() {
        return "figures rows=%d wall_ns=%d cpu_ns=%d process_cpu_ns=%d peak_rss_kib=%d"
                .formatted(rows, wall.toNanos(), cpu.toNanos(), processCpu.toNanos(), peakRssKib);
    }

    /** The figures among what a contestant printed. */
    static Optional<Figures> in(Stream<String> lines) {
        return lines.map(LINE::matcher)
                .filter(Matcher::matches)
                .map(line -> new Figures(
                        Long.parseLong(line.group(1)),
                        Duration.ofNanos(Long.parseLong(line.group(2))),
                        Duration.ofNanos(Long.parseLong(line.group(3))),
                        Duration.ofNanos(Long.parseLong(line.group(4))),
                        Long.parseLong(line.group(5))))
                .findFirst();
    }

    double rowsPerSecond() {
        return rows * 1e9 / wall.toNanos();
    }

    double cpuSecondsPerMillion() {
        return perMillion(cpu);
    }

    double processCpuSecondsPerMillion() {
        return perMillion(processCpu);
    }

    private double perMillion(Duration time) {
        return time.toNanos() / 1e9 * 1e6 / rows;
    }

    double peakRssMib() {
        return peakRssKib / 1024.0;
    }
}
