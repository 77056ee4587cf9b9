package dev.holdfast.archive.tree;

/** The two halves of a Linux device number. */
final class DeviceNumber {

    private DeviceNumber() {}

    /** @param device as {@code st_rdev} has it */
    static long major(long device) {
        return (device >>> 8 & 0xfffL) | (device >>> 32 & 0xfffff000L);
    }

    static long minor(long device) {
        return (device & 0xffL) | (device >>> 12 & 0xffffff00L);
    }
}
