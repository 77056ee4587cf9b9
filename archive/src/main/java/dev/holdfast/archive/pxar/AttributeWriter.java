package dev.holdfast.archive.pxar;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;

/** Writes ENTRY and attributes, in the one order that writers must keep. */
final class AttributeWriter {

    private static final Comparator<AclEntry> BY_ID = (a, b) -> {
        int order = Long.compareUnsigned(a.id(), b.id());
        return order != 0 ? order : Long.compareUnsigned(a.permissions(), b.permissions());
    };

    private AttributeWriter() {}

    static void write(EntryMetadata metadata, RecordOutput out) throws IOException {
        out.entry(metadata.stat());
        for (Xattr xattr : metadata.xattrs()) {
            xattr(xattr, out);
        }
        Acl acl = metadata.acl();
        named(RecordType.ACL_USER, acl.users(), out);
        named(RecordType.ACL_GROUP, acl.groups(), out);
        if (acl.groupObject() != null) {
            out.record(RecordType.ACL_GROUP_OBJ, acl.groupObject());
        }
        Acl.Base base = acl.defaults().base();
        if (base != null) {
            out.record(RecordType.ACL_DEFAULT, base.owner(), base.group(), base.other(), base.mask());
        }
        named(RecordType.ACL_DEFAULT_USER, acl.defaults().users(), out);
        named(RecordType.ACL_DEFAULT_GROUP, acl.defaults().groups(), out);
        byte[] fcaps = metadata.fcaps();
        if (fcaps != null) {
            out.header(RecordType.FCAPS, fcaps.length);
            out.bytes(fcaps, 0, fcaps.length);
        }
        if (metadata.projectId() != null) {
            out.record(RecordType.QUOTA_PROJID, metadata.projectId());
        }
    }

    /** @throws IllegalArgumentException if metadata cannot be stored; nothing has been written then */
    static void check(EntryMetadata metadata) {
        for (Xattr xattr : metadata.xattrs()) {
            if (xattr.name().length + 1L + xattr.value().length > Xattr.MAX_SIZE) {
                throw new IllegalArgumentException("an extended attribute exceeds 65791 bytes");
            }
            for (byte b : xattr.name()) {
                if (b == 0) {
                    throw new IllegalArgumentException("the name of an extended attribute holds a NUL");
                }
            }
        }
        byte[] fcaps = metadata.fcaps();
        if (fcaps != null && fcaps.length > Xattr.MAX_SIZE) {
            throw new IllegalArgumentException("file capabilities exceed 65791 bytes");
        }
    }

    private static void xattr(Xattr xattr, RecordOutput out) throws IOException {
        byte[] name = xattr.name();
        byte[] value = xattr.value();
        out.header(RecordType.XATTR, name.length + 1L + value.length);
        out.bytes(name, 0, name.length);
        out.bytes(new byte[1], 0, 1);
        out.bytes(value, 0, value.length);
    }

    private static void named(long type, List<AclEntry> entries, RecordOutput out) throws IOException {
        for (AclEntry entry : entries.stream().sorted(BY_ID).toList()) {
            out.record(type, entry.id(), entry.permissions());
        }
    }
}
