package dev.holdfast.archive.tree;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/** Which extended attributes are kept. */
final class XattrNames {

    static final byte[] CAPABILITY = "security.capability".getBytes(US_ASCII);

    private static final byte[] NT_ACL = "security.NTACL".getBytes(US_ASCII);
    private static final byte[] USER = "user.".getBytes(US_ASCII);
    private static final byte[] TRUSTED = "trusted.".getBytes(US_ASCII);
    private static final int MAX_NAME = 255;

    private XattrNames() {}

    /** Whether an attribute is archived and restored as such; lists and capabilities go other ways. */
    static boolean isKept(byte[] name) {
        return name.length <= MAX_NAME && (begins(name, USER) || begins(name, TRUSTED) || Arrays.equals(name, NT_ACL));
    }

    private static boolean begins(byte[] name, byte[] prefix) {
        return name.length > prefix.length && Arrays.equals(name, 0, prefix.length, prefix, 0, prefix.length);
    }
}
