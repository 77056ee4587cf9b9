package dev.holdfast.archive.pxar;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an entry keeps of its POSIX access control lists. The rights of owner and others, and of the mask or the owning
 * group, are in the mode.
 *
 * @param users named users of the access list
 * @param groups named groups of the access list
 * @param groupObject rights of the owning group; present if the access list has a mask, which then stands in the mode
 * @param defaults of a directory
 */
public record Acl(
        List<AclEntry> users,
        List<AclEntry> groups,
        @Nullable Long groupObject,
        Defaults defaults) {

    /** Stands for "not present" in {@link Base}. */
    public static final long ABSENT = -1;

    /** No list at all. */
    public static final Acl NONE = new Acl(List.of(), List.of(), null, new Defaults(null, List.of(), List.of()));

    public Acl {
        users = List.copyOf(users);
        groups = List.copyOf(groups);
    }

    /**
     * The default list of a directory.
     *
     * @param base the unnamed entries; without them the named ones are not applied
     */
    public record Defaults(@Nullable Base base, List<AclEntry> users, List<AclEntry> groups) {
        public Defaults {
            users = List.copyOf(users);
            groups = List.copyOf(groups);
        }
    }

    /** The unnamed entries of a default list; each may be {@link #ABSENT}. */
    public record Base(long owner, long group, long other, long mask) {}

    /** Whether there is an access list that says more than the mode. */
    public boolean hasAccessList() {
        return groupObject != null || !users.isEmpty() || !groups.isEmpty();
    }
}
