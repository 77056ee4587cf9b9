package dev.holdfast.datastore.snapshot;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who owns a group: a user, or a token of a user, as the {@code owner} file spells it.
 *
 * @param user {@code user@realm}
 * @param token the token's name, if it is one
 */
public record GroupOwner(String user, Optional<String> token) {

    private static final String SAFE_ID = "[A-Za-z0-9_][A-Za-z0-9._\\-]*";

    private static final Pattern PATTERN = Pattern.compile(
            "(?<user>[^\\s:/\\p{Cntrl}]+@" + SAFE_ID + ")(?:!(?<token>" + SAFE_ID + "))?",
            Pattern.UNICODE_CHARACTER_CLASS);

    /**
     * Parses {@code user@realm} or {@code user@realm!token}.
     *
     * @throws IllegalArgumentException for any other text
     */
    public static GroupOwner parse(String text) {
        Matcher matcher = PATTERN.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "an owner is written user@realm or user@realm!token, not '" + text + "'");
        }
        return new GroupOwner(matcher.group("user"), Optional.ofNullable(matcher.group("token")));
    }

    /** Whether a group of this owner is open to {@code other}: the same, or the user whose token this is. */
    public boolean admits(GroupOwner other) {
        return equals(other) || (token.isPresent() && other.token.isEmpty() && user.equals(other.user));
    }

    @Override
    public String toString() {
        return token.map(name -> user + "!" + name).orElse(user);
    }
}
