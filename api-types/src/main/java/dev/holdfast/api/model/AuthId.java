package dev.holdfast.api.model;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Who owns a group: {@code user@realm} or, for an API token of that user, {@code user@realm!token}.
 *
 * @param user the user's name
 * @param realm where the user is known, a safe id
 * @param token the token's name, a safe id; empty for the user
 */
public record AuthId(String user, String realm, Optional<String> token) {

    private static final Pattern USER = Pattern.compile("[^\\s:/\\p{Cntrl}]+");

    public AuthId {
        if (!USER.matcher(user).matches()) {
            throw new IllegalArgumentException("a user name has no blank, ':' or '/': '" + user + "'");
        }
        SafeId.require("realm", realm);
        token.ifPresent(name -> SafeId.require("token", name));
    }

    /**
     * Parses {@code user@realm} or {@code user@realm!token}.
     *
     * @throws IllegalArgumentException for any other text
     */
    public static AuthId parse(String text) {
        int at = text.lastIndexOf('@');
        if (at < 0) {
            throw new IllegalArgumentException("an owner is written user@realm or user@realm!token: '" + text + "'");
        }
        String rest = text.substring(at + 1);
        int bang = rest.indexOf('!');
        return bang < 0
                ? new AuthId(text.substring(0, at), rest, Optional.empty())
                : new AuthId(text.substring(0, at), rest.substring(0, bang), Optional.of(rest.substring(bang + 1)));
    }

    /** Whether a group of this owner belongs to {@code who}: it is the same, or this is a token of that user. */
    public boolean belongsTo(AuthId who) {
        return equals(who)
                || (token.isPresent() && who.token.isEmpty() && user.equals(who.user) && realm.equals(who.realm));
    }

    @Override
    public String toString() {
        return user + "@" + realm + token.map(name -> "!" + name).orElse("");
    }
}
