package dev.holdfast.api.schema;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** What an option may be set to, and why: declared once, read by the shell, the configuration file and the docs. */
public sealed interface OptionSchema {

    /** The option's name in configuration files and on the command line. */
    String name();

    /** What a value counts, for example {@code minutes}; empty where nothing is counted. */
    String unit();

    /** What the option does, and the reasons for its bounds and its default. */
    String reason();

    /** The value that holds while the option is unset, as text; empty if unset means something else than any value. */
    Optional<String> defaultText();

    /** What a value must be, as a phrase that fits behind "must be". */
    String bounds();

    /** Values that completion may offer. */
    List<String> suggestions();

    /**
     * Checks a value and gives its canonical text.
     *
     * @throws SchemaViolationException naming option, bounds and value
     */
    String check(String value);

    /**
     * A whole number.
     *
     * @param min smallest value
     * @param max greatest value
     * @param defaultValue what unset means; empty if unset means something else than any number
     */
    record IntegerOption(String name, long min, long max, OptionalLong defaultValue, Text text)
            implements OptionSchema {

        private static final Pattern DIGITS = Pattern.compile("-?[0-9]{1,19}");

        @Override
        public String unit() {
            return text.unit();
        }

        @Override
        public String reason() {
            return text.reason();
        }

        @Override
        public Optional<String> defaultText() {
            return defaultValue.isPresent() ? Optional.of(Long.toString(defaultValue.getAsLong())) : Optional.empty();
        }

        @Override
        public String bounds() {
            return "a whole number from " + min + " to " + max + (unit().isEmpty() ? "" : " (" + unit() + ")");
        }

        @Override
        public List<String> suggestions() {
            return defaultText().map(List::of).orElse(List.of());
        }

        @Override
        public String check(String value) {
            if (DIGITS.matcher(value).matches()) {
                try {
                    long number = Long.parseLong(value);
                    if (number >= min && number <= max) {
                        return Long.toString(number);
                    }
                } catch (NumberFormatException e) {
                    throw new SchemaViolationException(name, bounds(), value);
                }
            }
            throw new SchemaViolationException(name, bounds(), value);
        }
    }

    /** Yes or no. */
    record BooleanOption(String name, boolean defaultValue, Text text) implements OptionSchema {

        @Override
        public String unit() {
            return text.unit();
        }

        @Override
        public String reason() {
            return text.reason();
        }

        @Override
        public Optional<String> defaultText() {
            return Optional.of(Boolean.toString(defaultValue));
        }

        @Override
        public String bounds() {
            return "true or false";
        }

        @Override
        public List<String> suggestions() {
            return List.of("true", "false");
        }

        /** Takes the spellings that Proxmox Backup Server takes, in either case: 1, on, yes, true; 0, off, no, false. */
        @Override
        public String check(String value) {
            return switch (value.toLowerCase(Locale.ROOT)) {
                case "1", "on", "yes", "true" -> "true";
                case "0", "off", "no", "false" -> "false";
                default -> throw new SchemaViolationException(name, bounds(), value);
            };
        }
    }

    /**
     * One of a few words.
     *
     * @param defaultText what unset means; empty if unset means none of them
     */
    record ChoiceOption(String name, List<String> choices, Optional<String> defaultText, Text text)
            implements OptionSchema {

        public ChoiceOption {
            choices = List.copyOf(choices);
        }

        @Override
        public String unit() {
            return text.unit();
        }

        @Override
        public String reason() {
            return text.reason();
        }

        @Override
        public String bounds() {
            return "one of " + String.join(", ", choices);
        }

        @Override
        public List<String> suggestions() {
            return choices;
        }

        @Override
        public String check(String value) {
            if (!choices.contains(value)) {
                throw new SchemaViolationException(name, bounds(), value);
            }
            return value;
        }
    }

    /**
     * A text that matches a pattern as a whole.
     *
     * @param form what the pattern says, in words that fit behind "must be"
     * @param pattern what the whole text must match, its length included
     */
    record TextOption(String name, String form, Pattern pattern, Text text) implements OptionSchema {

        @Override
        public String unit() {
            return text.unit();
        }

        @Override
        public String reason() {
            return text.reason();
        }

        @Override
        public Optional<String> defaultText() {
            return Optional.empty();
        }

        @Override
        public String bounds() {
            return form;
        }

        @Override
        public List<String> suggestions() {
            return List.of();
        }

        @Override
        public String check(String value) {
            if (!pattern.matcher(value).matches()) {
                throw new SchemaViolationException(name, bounds(), value);
            }
            return value;
        }
    }

    /**
     * A number of bytes, written with a unit as {@link ByteSize} says.
     *
     * @param min smallest value, bytes
     * @param max greatest value, bytes
     */
    record SizeOption(String name, long min, long max, Text text) implements OptionSchema {

        @Override
        public String unit() {
            return text.unit();
        }

        @Override
        public String reason() {
            return text.reason();
        }

        @Override
        public Optional<String> defaultText() {
            return Optional.empty();
        }

        @Override
        public String bounds() {
            return "a size from " + ByteSize.format(min) + " to " + ByteSize.format(max) + ", for example 64 GiB";
        }

        @Override
        public List<String> suggestions() {
            return List.of();
        }

        @Override
        public String check(String value) {
            try {
                long bytes = ByteSize.parse(value);
                if (bytes >= min && bytes <= max) {
                    return ByteSize.format(bytes);
                }
            } catch (IllegalArgumentException e) {
                throw new SchemaViolationException(name, bounds(), value);
            }
            throw new SchemaViolationException(name, bounds(), value);
        }
    }

    /**
     * The words of an option.
     *
     * @param unit what a value counts, or empty
     * @param reason what it does and why its bounds are what they are
     */
    record Text(String unit, String reason) {}
}
