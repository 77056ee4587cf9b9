package dev.holdfast.archive.pxar;

import dev.holdfast.archive.ArchiveFormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gathers the attribute records of one entry, in whatever order they come. */
final class AttributeCollector {

    /** Stands for the objects that keep an attribute of no content; counts against the limit as well. */
    private static final int COST = 64;

    private final int limit;
    private long used;
    private final List<Xattr> xattrs = new ArrayList<>(0);
    private final List<AclEntry> users = new ArrayList<>(0);
    private final List<AclEntry> groups = new ArrayList<>(0);
    private final List<AclEntry> defaultUsers = new ArrayList<>(0);
    private final List<AclEntry> defaultGroups = new ArrayList<>(0);
    private @Nullable Long groupObject;
    private Acl.@Nullable Base base;
    private byte @Nullable [] fcaps;
    private @Nullable Long projectId;

    AttributeCollector(int limit) {
        this.limit = limit;
    }

    /** Takes the record that was looked at. @return false, without taking it, if it is no attribute */
    boolean collect(RecordInput in) throws IOException {
        long type = in.type();
        if (type == RecordType.XATTR) {
            long at = in.position();
            xattrs.add(xattr(content(in), at));
        } else if (type == RecordType.ACL_USER) {
            users.add(named(in));
        } else if (type == RecordType.ACL_GROUP) {
            groups.add(named(in));
        } else if (type == RecordType.ACL_DEFAULT_USER) {
            defaultUsers.add(named(in));
        } else if (type == RecordType.ACL_DEFAULT_GROUP) {
            defaultGroups.add(named(in));
        } else if (type == RecordType.ACL_GROUP_OBJ) {
            refuseSecond(groupObject, in);
            groupObject = RecordInput.longAt(content(in), 0);
        } else if (type == RecordType.ACL_DEFAULT) {
            refuseSecond(base, in);
            byte[] content = content(in);
            base = new Acl.Base(
                    RecordInput.longAt(content, 0),
                    RecordInput.longAt(content, 8),
                    RecordInput.longAt(content, 16),
                    RecordInput.longAt(content, 24));
        } else if (type == RecordType.FCAPS) {
            refuseSecond(fcaps, in);
            fcaps = content(in);
        } else if (type == RecordType.QUOTA_PROJID) {
            refuseSecond(projectId, in);
            projectId = RecordInput.longAt(content(in), 0);
        } else {
            return false;
        }
        return true;
    }

    EntryMetadata metadata(EntryStat stat) {
        boolean noAcl = users.isEmpty()
                && groups.isEmpty()
                && defaultUsers.isEmpty()
                && defaultGroups.isEmpty()
                && groupObject == null
                && base == null;
        Acl acl = noAcl
                ? Acl.NONE
                : new Acl(users, groups, groupObject, new Acl.Defaults(base, defaultUsers, defaultGroups));
        return new EntryMetadata(stat, xattrs, acl, fcaps, projectId);
    }

    private byte[] content(RecordInput in) throws IOException {
        used += in.contentSize() + COST;
        if (used > limit) {
            throw new ArchiveFormatException(
                    in.position(), "the attributes of one entry exceed the limit of " + limit + " bytes");
        }
        return in.takeContent();
    }

    private AclEntry named(RecordInput in) throws IOException {
        byte[] content = content(in);
        return new AclEntry(RecordInput.longAt(content, 0), RecordInput.longAt(content, 8));
    }

    private static Xattr xattr(byte[] content, long at) throws ArchiveFormatException {
        for (int i = 0; i < content.length; i++) {
            if (content[i] == 0) {
                return new Xattr(Arrays.copyOf(content, i), Arrays.copyOfRange(content, i + 1, content.length));
            }
        }
        throw new ArchiveFormatException(at, "an XATTR record has no NUL behind its name");
    }

    private static void refuseSecond(@Nullable Object first, RecordInput in) throws ArchiveFormatException {
        if (first != null) {
            throw new ArchiveFormatException(
                    in.position(), "second " + RecordType.name(in.type()) + " record in one entry");
        }
    }
}
