package dev.holdfast.archive.pxar;

/**
 * What a reader puts up with where the format itself has no bound.
 *
 * @param depth directories within each other
 * @param attributeBytes contents of all attribute records of one entry together
 * @param preludeBytes content of the PRELUDE
 */
public record PxarLimits(int depth, int attributeBytes, int preludeBytes) {

    /**
     * Depth 2048: a path of 4096 bytes has no more components. Attributes 4 MiB: Linux hands out at most 64 KiB of
     * names, and sane archives hold a few hundred bytes. Prelude 1 MiB: it holds exclude patterns.
     */
    public static final PxarLimits DEFAULT = new PxarLimits(2048, 4 << 20, 1 << 20);
}
