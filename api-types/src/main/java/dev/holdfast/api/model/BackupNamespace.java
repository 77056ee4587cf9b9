package dev.holdfast.api.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A namespace: 0 to 7 components, written {@code a/b/c}; the root namespace is the empty text.
 *
 * @param components the names from the root down, each a safe id
 */
public record BackupNamespace(List<String> components) implements Comparable<BackupNamespace> {

    /** Greatest number of components. */
    public static final int MAX_DEPTH = 7;

    /** Greatest length of the text form, in characters. */
    public static final int MAX_LENGTH = 256;

    /** The root namespace. */
    public static final BackupNamespace ROOT = new BackupNamespace(List.of());

    public BackupNamespace {
        components = List.copyOf(components);
        if (components.size() > MAX_DEPTH) {
            throw new IllegalArgumentException(
                    "a namespace has at most " + MAX_DEPTH + " levels: '" + String.join("/", components) + "'");
        }
        int length = 0;
        for (String component : components) {
            SafeId.require("namespace component", component);
            if (length + component.length() + 1 > MAX_LENGTH) {
                throw new IllegalArgumentException("a namespace has at most " + MAX_LENGTH + " characters: '"
                        + String.join("/", components) + "'");
            }
            length += (length == 0 ? 0 : 1) + component.length();
        }
    }

    /**
     * Parses {@code a/b/c}; the empty text is the root.
     *
     * @throws IllegalArgumentException for an empty component, a component that is no safe id, or too many levels
     */
    public static BackupNamespace parse(String text) {
        return text.isEmpty() ? ROOT : new BackupNamespace(List.of(text.split("/", -1)));
    }

    public int depth() {
        return components.size();
    }

    public boolean isRoot() {
        return components.isEmpty();
    }

    /** The namespace one level below. */
    public BackupNamespace child(String component) {
        List<String> longer = new ArrayList<>(components);
        longer.add(component);
        return new BackupNamespace(longer);
    }

    /** The namespace one level above; the root's parent is the root. */
    public BackupNamespace parent() {
        return isRoot() ? this : new BackupNamespace(components.subList(0, components.size() - 1));
    }

    @Override
    public int compareTo(BackupNamespace other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return String.join("/", components);
    }
}
