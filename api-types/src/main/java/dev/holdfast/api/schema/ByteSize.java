package dev.holdfast.api.schema;

import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes with a unit: {@code 64 GiB}, {@code 1.5 TB}, {@code 4096}. Units with an {@code i} are powers of 1024,
 * the others powers of 1000; the {@code B} may be left out.
 */
public final class ByteSize {

    private static final List<String> PREFIXES = List.of("", "K", "M", "G", "T", "P");
    private static final Pattern FORM =
            Pattern.compile("([0-9]{1,19}(?:\\.[0-9]{1,9})?)(?: ?(?=[KMGTPB]))?([KMGTP]?)(i?)B?");

    private ByteSize() {}

    /**
     * Parses a size; a fraction of a byte is cut off.
     *
     * @return bytes, 0 or more
     * @throws IllegalArgumentException if the text is no size, or more than 2^63 - 1 bytes
     */
    public static long parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches() || (m.group(2).isEmpty() && !m.group(3).isEmpty())) {
            throw new IllegalArgumentException("a size is written like 64 GiB, 500 MB or 4096, not '" + text + "'");
        }
        BigDecimal unit = BigDecimal.valueOf(m.group(3).isEmpty() ? 1000 : 1024).pow(PREFIXES.indexOf(m.group(2)));
        BigDecimal bytes = new BigDecimal(m.group(1)).multiply(unit);
        if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("a size of at most 2^63 - 1 bytes is expected, not '" + text + "'");
        }
        return bytes.longValue();
    }

    /** The shortest exact form in binary units, for example {@code 64 GiB}; {@link #parse} gives the same number back. */
    public static String format(long bytes) {
        long number = bytes;
        int prefix = 0;
        while (number != 0 && number % 1024 == 0 && prefix < PREFIXES.size() - 1) {
            number /= 1024;
            prefix++;
        }
        return number + " " + PREFIXES.get(prefix) + (prefix == 0 ? "" : "i") + "B";
    }
}
