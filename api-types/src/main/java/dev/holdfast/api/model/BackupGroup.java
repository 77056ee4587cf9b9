package dev.holdfast.api.model;

import java.math.BigInteger;
import java.util.Comparator;

/**
 * A group of snapshots of one thing, written {@code vm/100}.
 *
 * <p>Ordered as listings show them: by type (ct, host, vm), then ids that are unsigned 64-bit decimal numbers
 * numerically, then all other ids by bytes.
 *
 * @param type what is backed up
 * @param id a safe id
 */
public record BackupGroup(BackupType type, String id) implements Comparable<BackupGroup> {

    private static final BigInteger LIMIT = BigInteger.ONE.shiftLeft(64);

    public BackupGroup {
        SafeId.require("backup id", id);
    }

    /**
     * Parses {@code type/id}.
     *
     * @throws IllegalArgumentException if the text is not a known type, a slash and a safe id
     */
    public static BackupGroup parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("a group is written TYPE/ID, for example vm/100: '" + text + "'");
        }
        return new BackupGroup(BackupType.parse(text.substring(0, slash)), text.substring(slash + 1));
    }

    @Override
    public int compareTo(BackupGroup other) {
        int byType = type.compareTo(other.type);
        return byType != 0 ? byType : IdOrder.INSTANCE.compare(id, other.id);
    }

    @Override
    public String toString() {
        return type + "/" + id;
    }

    private static final class IdOrder implements Comparator<String> {

        private static final IdOrder INSTANCE = new IdOrder();

        @Override
        public int compare(String a, String b) {
            boolean numberA = isNumber(a);
            boolean numberB = isNumber(b);
            if (numberA && numberB) {
                int byValue = new BigInteger(a).compareTo(new BigInteger(b));
                return byValue != 0 ? byValue : a.compareTo(b);
            }
            if (numberA != numberB) {
                return numberA ? -1 : 1;
            }
            return a.compareTo(b);
        }

        private static boolean isNumber(String id) {
            return id.length() <= 40
                    && id.chars().allMatch(c -> c >= '0' && c <= '9')
                    && new BigInteger(id).compareTo(LIMIT) < 0;
        }
    }
}
