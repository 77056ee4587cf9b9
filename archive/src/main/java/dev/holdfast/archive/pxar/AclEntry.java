package dev.holdfast.archive.pxar;

/**
 * The rights of a named user or group.
 *
 * @param id uid or gid, unsigned
 * @param permissions read 4, write 2, execute 1
 */
public record AclEntry(long id, long permissions) {}
