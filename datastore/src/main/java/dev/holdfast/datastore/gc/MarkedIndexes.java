package dev.holdfast.datastore.gc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The indexes that a run has come to, numbered from 0, and their sums. An index that is read twice, because its group had
 * to be listed again, counts once. For use by one thread.
 */
final class MarkedIndexes {

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> paths = new ArrayList<>();
    private final List<Long> sizes = new ArrayList<>();
    private long fileCount;
    private long dataBytes;

    /** The number of a path, a new one for a path that is new here. */
    int number(String relative) {
        Integer known = numbers.get(relative);
        if (known != null) {
            return known;
        }
        numbers.put(relative, paths.size());
        paths.add(relative);
        sizes.add(-1L);
        return paths.size() - 1;
    }

    /** Notes that an index has been read to its end. @param size its logical size in bytes */
    void marked(int number, long size) {
        long before = sizes.set(number, size);
        if (before < 0) {
            fileCount++;
            dataBytes += size;
        } else {
            dataBytes += size - before;
        }
    }

    boolean isMarked(String relative) {
        Integer number = numbers.get(relative);
        return number != null && sizes.get(number) >= 0;
    }

    String path(int number) {
        return paths.get(number);
    }

    /** Paths of all indexes that were read, relative to the store's root. */
    List<String> markedPaths() {
        List<String> marked = new ArrayList<>(paths.size());
        for (int i = 0; i < paths.size(); i++) {
            if (sizes.get(i) >= 0) {
                marked.add(paths.get(i));
            }
        }
        return marked;
    }

    /** Indexes that were read. */
    long fileCount() {
        return fileCount;
    }

    /** Sum of their logical sizes, in bytes. */
    long dataBytes() {
        return dataBytes;
    }
}
