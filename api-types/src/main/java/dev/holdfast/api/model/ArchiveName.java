package dev.holdfast.api.model;

/**
 * The name of a file of a snapshot on the server, for example {@code drive0.img.fidx}. Only its last extension decides
 * what it is.
 *
 * @param text a safe id that ends in {@code .fidx}, {@code .didx} or {@code .blob}
 */
public record ArchiveName(String text) implements Comparable<ArchiveName> {

    /** What a file of a snapshot is, told from its extension alone. */
    public enum Kind {
        FIXED_INDEX,
        DYNAMIC_INDEX,
        BLOB
    }

    public static final ArchiveName MANIFEST = new ArchiveName("index.json.blob");
    public static final ArchiveName CLIENT_LOG = new ArchiveName("client.log.blob");
    public static final ArchiveName CATALOG = new ArchiveName("catalog.pcat1.didx");

    public ArchiveName {
        SafeId.require("archive name", text);
        if (!hasKnownExtension(text)) {
            throw new IllegalArgumentException("an archive name ends in .fidx, .didx or .blob: '" + text + "'");
        }
    }

    /** Whether a directory entry has the form of a snapshot's file. */
    public static boolean isValid(String text) {
        return SafeId.matches(text) && hasKnownExtension(text);
    }

    /**
     * The server's name for a client's: kept if it has a server extension, else one is appended by the last extension
     * (pxar, mpxar, ppxar, pcat1: didx; img: fidx; conf, json, key, log: blob).
     *
     * @throws IllegalArgumentException for any other extension
     */
    public static ArchiveName ofClientName(String name) {
        if (hasKnownExtension(name)) {
            return new ArchiveName(name);
        }
        // A dot at the very start begins no extension, and a name without a dot has none: "img" is not an image.
        int dot = name.lastIndexOf('.');
        String extension = dot < 1 ? "" : name.substring(dot + 1);
        return switch (extension) {
            case "pxar", "mpxar", "ppxar", "pcat1" -> new ArchiveName(name + ".didx");
            case "img" -> new ArchiveName(name + ".fidx");
            case "conf", "json", "key", "log" -> new ArchiveName(name + ".blob");
            default ->
                throw new IllegalArgumentException("archive '" + name
                        + "' needs an extension that tells its kind: .img, .pxar, .mpxar, .ppxar, .pcat1, .conf, .json,"
                        + " .key or .log");
        };
    }

    public Kind kind() {
        if (text.endsWith(".fidx")) {
            return Kind.FIXED_INDEX;
        }
        return text.endsWith(".didx") ? Kind.DYNAMIC_INDEX : Kind.BLOB;
    }

    public boolean isIndex() {
        return kind() != Kind.BLOB;
    }

    private static boolean hasKnownExtension(String text) {
        return text.endsWith(".fidx") || text.endsWith(".didx") || text.endsWith(".blob");
    }

    @Override
    public int compareTo(ArchiveName other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
