package dev.holdfast.archive.tree;

import dev.holdfast.archive.pxar.Acl;
import dev.holdfast.archive.pxar.AclEntry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Access control lists as the kernel hands them out: an extended attribute of a 32-bit version, 2, and entries of tag
 * (16 bits), rights (16 bits) and id (32 bits), little-endian, in the order of the tags.
 */
final class PosixAcl {

    static final byte[] ACCESS = "system.posix_acl_access".getBytes(StandardCharsets.US_ASCII);
    static final byte[] DEFAULT = "system.posix_acl_default".getBytes(StandardCharsets.US_ASCII);

    private static final int VERSION = 2;
    private static final int USER_OBJ = 1;
    private static final int USER = 2;
    private static final int GROUP_OBJ = 4;
    private static final int GROUP = 8;
    private static final int MASK = 0x10;
    private static final int OTHER = 0x20;
    private static final int NO_ID = -1;
    private static final int ENTRY_BYTES = 8;
    private static final long MAX_ID = 0xfffffffeL;

    private final List<AclEntry> users = new ArrayList<>();
    private final List<AclEntry> groups = new ArrayList<>();
    private long owner = Acl.ABSENT;
    private long group = Acl.ABSENT;
    private long other = Acl.ABSENT;
    private long mask = Acl.ABSENT;

    private PosixAcl() {}

    /** @throws IllegalArgumentException if an attribute is not a list of this version */
    static Acl fromXattrs(byte @Nullable [] access, byte @Nullable [] defaults) {
        PosixAcl a = access == null ? new PosixAcl() : parse(access);
        Acl.Defaults d = Acl.NONE.defaults();
        if (defaults != null) {
            PosixAcl list = parse(defaults);
            d = new Acl.Defaults(new Acl.Base(list.owner, list.group, list.other, list.mask), list.users, list.groups);
        }
        // With a mask the group bits of the mode hold the mask, and only then the rights of the group are lost there.
        Long groupObject = a.mask == Acl.ABSENT ? null : (Long) a.group;
        return new Acl(a.users, a.groups, groupObject, d);
    }

    private static PosixAcl parse(byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        if (value.length % ENTRY_BYTES != 4 || in.getInt() != VERSION) {
            throw new IllegalArgumentException("not an access control list of version 2");
        }
        PosixAcl list = new PosixAcl();
        while (in.hasRemaining()) {
            int tag = in.getShort();
            long rights = in.getShort() & 7;
            long id = Integer.toUnsignedLong(in.getInt());
            switch (tag) {
                case USER_OBJ -> list.owner = rights;
                case USER -> list.users.add(new AclEntry(id, rights));
                case GROUP_OBJ -> list.group = rights;
                case GROUP -> list.groups.add(new AclEntry(id, rights));
                case MASK -> list.mask = rights;
                case OTHER -> list.other = rights;
                default -> throw new IllegalArgumentException("unknown entry in an access control list");
            }
        }
        return list;
    }

    /** The access list of an entry, null if it says no more than the mode. */
    static byte @Nullable [] access(Acl acl, int mode) {
        if (!acl.hasAccessList()) {
            return null;
        }
        long bits = mode >> 3 & 7;
        Long groupObject = acl.groupObject();
        boolean named = !acl.users().isEmpty() || !acl.groups().isEmpty();
        Acl.Base base = new Acl.Base(
                mode >> 6 & 7,
                groupObject == null ? bits : groupObject,
                mode & 7,
                groupObject != null || named ? bits : Acl.ABSENT);
        return compose(base, acl.users(), acl.groups());
    }

    /** The default list of an entry, null if there is none. */
    static byte @Nullable [] defaults(Acl acl) {
        Acl.Base base = acl.defaults().base();
        return base == null
                ? null
                : compose(base, acl.defaults().users(), acl.defaults().groups());
    }

    private static byte[] compose(Acl.Base base, List<AclEntry> users, List<AclEntry> groups) {
        ByteBuffer out = ByteBuffer.allocate(4 + ENTRY_BYTES * (4 + users.size() + groups.size()))
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(VERSION);
        put(out, USER_OBJ, base.owner(), NO_ID);
        putNamed(out, USER, users);
        put(out, GROUP_OBJ, base.group(), NO_ID);
        putNamed(out, GROUP, groups);
        put(out, MASK, base.mask(), NO_ID);
        put(out, OTHER, base.other(), NO_ID);
        byte[] value = new byte[out.position()];
        out.flip().get(value);
        return value;
    }

    private static void putNamed(ByteBuffer out, int tag, List<AclEntry> entries) {
        for (AclEntry entry :
                entries.stream().sorted(Comparator.comparingLong(AclEntry::id)).toList()) {
            if (entry.id() < 0 || entry.id() > MAX_ID) {
                throw new IllegalArgumentException("an id of an access control list is out of range");
            }
            put(out, tag, entry.permissions(), (int) entry.id());
        }
    }

    private static void put(ByteBuffer out, int tag, long rights, int id) {
        if (rights == Acl.ABSENT) {
            return;
        }
        if (rights < 0 || rights > 7) {
            throw new IllegalArgumentException("the rights of an access control list are out of range");
        }
        out.putShort((short) tag).putShort((short) rights).putInt(id);
    }
}
