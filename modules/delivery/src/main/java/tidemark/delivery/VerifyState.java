package tidemark.delivery;

import java.time.Duration;

/** How the comparison of one table stands that was asked of a running service. */
public sealed interface VerifyState {
    /** @param doing what is done or waited for */
    record UnderWay(String doing) implements VerifyState {}

    /** @param held for how long in all the stream stood still for it */
    record Compared(TableFindings found, Duration held) implements VerifyState {}

    /** Nothing was found out. */
    record NotCompared(ExitCode exit, String why, String remedy) implements VerifyState {}
}
