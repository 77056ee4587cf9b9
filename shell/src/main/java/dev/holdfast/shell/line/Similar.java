package dev.holdfast.shell.line;

import java.util.Collection;
import java.util.Optional;

/** Finds what somebody who mistyped a word may have meant. */
final class Similar {

    private Similar() {}

    /** The nearest candidate, if it is near: at most a third of the letters differ, or two. */
    static Optional<String> nearest(String word, Collection<String> candidates) {
        String best = "";
        int least = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int distance = !word.isEmpty() && candidate.startsWith(word) ? 0 : distance(word, candidate);
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        boolean near = !word.isEmpty() && least <= Math.max(2, word.length() / 3) && least < word.length();
        return near ? Optional.of(best) : Optional.empty();
    }

    /** Number of letters to insert, drop or replace. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replace, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
