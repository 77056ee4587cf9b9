package dev.holdfast.archive.tree;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names that came in one directory. Names are comparable, so that those of one hash, which an archive may hold on
 * purpose, are found in logarithmic time too.
 */
final class NameSet {

    private final Set<Name> names = new HashSet<>();

    private record Name(byte[] bytes) implements Comparable<Name> {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Name name && Arrays.equals(bytes, name.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public int compareTo(Name other) {
            return Arrays.compareUnsigned(bytes, other.bytes);
        }
    }

    /** @return false if it came before */
    boolean add(byte[] name) {
        return names.add(new Name(name));
    }
}
