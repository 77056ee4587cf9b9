package dev.holdfast.api.status;

import dev.holdfast.api.model.Upid;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The last verification of a snapshot, as its manifest has it in {@code unprotected.verify_state}.
 *
 * @param upid the task that verified
 * @param result what it found
 */
public record VerifyState(Upid upid, Result result) {

    /** What a verification found. */
    public enum Result {
        OK("ok"),
        FAILED("failed");

        private final String text;

        Result(String text) {
            this.text = text;
        }

        /**
         * Parses {@code ok} or {@code failed}.
         *
         * @throws IllegalArgumentException for anything else
         */
        public static Result parse(String text) {
            for (Result result : values()) {
                if (result.text.equals(text)) {
                    return result;
                }
            }
            throw new IllegalArgumentException("state must be ok or failed, not '" + text + "'");
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** The members of the JSON form: {@code upid}, {@code state}. */
    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put("upid", upid.toString());
        map.put("state", result.toString());
        return map;
    }

    /**
     * Reads the members of the JSON form; unknown ones are ignored.
     *
     * @throws IllegalArgumentException if a member is missing or malformed; such a snapshot counts as not verified
     */
    public static VerifyState fromMap(Map<String, ?> map) {
        return new VerifyState(Upid.parse(text(map, "upid")), Result.parse(text(map, "state")));
    }

    private static String text(Map<String, ?> map, String key) {
        if (map.get(key) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(key + " must be text, not '" + map.get(key) + "'");
    }
}
