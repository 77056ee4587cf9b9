package dev.holdfast.benchmarks;

import java.util.Locale;

/**
 * What one run did and took.
 *
 * @param references index records read
 * @param touched chunks touched
 * @param missing chunks that were not there
 * @param opened prefix directories opened in phase 1
 * @param markSeconds phase 1, or the touches alone
 * @param totalSeconds all
 * @param cpuSeconds processor time of the process, all threads
 */
record Run(
        long references,
        long touched,
        long missing,
        long opened,
        double markSeconds,
        double totalSeconds,
        double cpuSeconds) {

    /** The names of {@link #csv}. */
    static final String COLUMNS = "references,touched,missing,opened,mark_s,total_s,cpu_s";

    String csv() {
        return String.format(
                Locale.ROOT,
                "%d,%d,%d,%d,%.4f,%.4f,%.4f",
                references,
                touched,
                missing,
                opened,
                markSeconds,
                totalSeconds,
                cpuSeconds);
    }
}
