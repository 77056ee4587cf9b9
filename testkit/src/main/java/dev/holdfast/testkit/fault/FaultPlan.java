package dev.holdfast.testkit.fault;

import dev.holdfast.posix.Errno;
import dev.holdfast.posix.PosixException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which calls fail, and how. Each entry applies to the calls of one operation whose path a regular expression finds
 * something in ({@code ""} finds something in every path), and counts only these, from 1. Entries are independent; of
 * several that apply to one call the first one planned decides. Safe for use by any thread.
 */
public final class FaultPlan {

    /** Stands for every call, where the number of a call is asked for. */
    public static final int EVERY = 0;

    /** Runs before a call, outside all locks of the plan, so it may wait for another thread. */
    @FunctionalInterface
    public interface Hook {
        void before(String path) throws PosixException;
    }

    private final List<Entry> entries = new ArrayList<>();
    private final Map<PosixOperation, Integer> counts = new EnumMap<>(PosixOperation.class);
    private boolean crashed;

    /** Fails the n-th call with an error, without making it. */
    public FaultPlan fail(PosixOperation operation, int nth, String path, Errno errno) {
        return add(operation, nth, path, (at, call) -> {
            call.failure = new PosixException("injected " + operation, at, errno.number());
        });
    }

    /** Lets the n-th write put only its first bytes into the file, and then fail. */
    public FaultPlan failWriteAfter(int bytes, int nth, String path, Errno errno) {
        return add(PosixOperation.WRITE, nth, path, (at, call) -> {
            call.bytesBeforeFailure = bytes;
            call.failure = new PosixException("injected short write", at, errno.number());
        });
    }

    /** Runs a hook before the n-th call; the call is made afterwards, unless the hook throws. */
    public FaultPlan before(PosixOperation operation, int nth, String path, Hook hook) {
        return add(operation, nth, path, (at, call) -> call.hooks.add(hook));
    }

    /** Dies before the n-th call: that one and every later call, also of other threads, throws {@link SimulatedCrash}. */
    public FaultPlan crashBefore(PosixOperation operation, int nth, String path) {
        return add(operation, nth, path, (at, call) -> {
            crashed = true;
        });
    }

    /** How often an operation was called so far, failed calls included, calls after a crash not. */
    public synchronized int count(PosixOperation operation) {
        return counts.getOrDefault(operation, 0);
    }

    /** Forgets the counts of {@link #count}; the entries go on counting. */
    public synchronized void resetCounts() {
        counts.clear();
    }

    /** Fails the test if an entry was never used, since such a test has not tested what it says. */
    public synchronized void assertAllHit() {
        List<String> unused =
                entries.stream().filter(e -> !e.hit).map(Entry::toString).toList();
        if (!unused.isEmpty()) {
            throw new AssertionError("planned but never reached: " + String.join("; ", unused) + "; calls: " + counts);
        }
    }

    private synchronized FaultPlan add(PosixOperation operation, int nth, String path, Effect effect) {
        if (nth < EVERY) {
            throw new IllegalArgumentException("calls are counted from 1: " + nth);
        }
        entries.add(new Entry(operation, nth, Pattern.compile(path), effect));
        return this;
    }

    /**
     * Counts a call and runs its hooks.
     *
     * @return what is to happen to the call
     */
    Call enter(PosixOperation operation, String path) throws PosixException {
        Call call = new Call();
        synchronized (this) {
            if (!crashed) {
                counts.merge(operation, 1, Integer::sum);
                for (Entry entry : entries) {
                    if (entry.appliesTo(operation, path) && call.failure == null && !crashed) {
                        entry.hit = true;
                        entry.effect.on(path, call);
                    }
                }
            }
            if (crashed) {
                throw new SimulatedCrash(operation, path);
            }
        }
        for (Hook hook : call.hooks) {
            hook.before(path);
        }
        return call;
    }

    /** What the plan has in mind for one call. */
    static final class Call {

        final List<Hook> hooks = new ArrayList<>(0);

        @Nullable
        PosixException failure;

        int bytesBeforeFailure;
    }

    private interface Effect {
        void on(String path, Call call);
    }

    private static final class Entry {

        private final PosixOperation operation;
        private final int nth;
        private final Pattern path;
        private final Effect effect;
        private int seen;
        private boolean hit;

        Entry(PosixOperation operation, int nth, Pattern path, Effect effect) {
            this.operation = operation;
            this.nth = nth;
            this.path = path;
            this.effect = effect;
        }

        boolean appliesTo(PosixOperation called, String at) {
            if (called != operation || !path.matcher(at).find()) {
                return false;
            }
            seen++;
            return nth == EVERY || seen == nth;
        }

        @Override
        public String toString() {
            return (nth == EVERY ? "every " : "call " + nth + " of ") + operation + " on '" + path + "' (" + seen
                    + " seen)";
        }
    }
}
