package dev.holdfast.archive.pxar;

import static dev.holdfast.archive.Vectors.unhex;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.archive.ArchiveFormatException;
import dev.holdfast.archive.ArrayByteSource;
import dev.holdfast.archive.Vectors;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class PxarInvalidTest {

    /** Here the notes of the cases ask for more care than the reference takes. */
    private static final Set<String> STRICTER_FROM_THE_FRONT = Set.of("filename-embedded-nul");

    private static final Set<String> STRICTER_BY_LOOK_UP =
            Set.of("filename-embedded-nul", "truncated-after-inner-goodbye", "unknown-first-record");

    record Case(JsonNode json) {
        @Override
        public String toString() {
            return json.get("name").asString();
        }

        byte[] archive() {
            return unhex(json.get("archive_hex").asString());
        }

        boolean split() {
            return json.has("payload_hex");
        }

        byte[] payload() {
            return unhex(json.get("payload_hex").asString());
        }
    }

    static Stream<Case> cases() {
        return Vectors.json("pxar/invalid.json").get("cases").valueStream().map(Case::new);
    }

    private static void judge(boolean accept, ThrowingCallable reading) throws IOException {
        if (accept) {
            try {
                reading.call();
            } catch (Throwable e) {
                throw new AssertionError("should be accepted", e);
            }
        } else {
            assertThatThrownBy(reading).isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void caseReadFromTheFront_getsItsVerdict(Case c) throws IOException {
        boolean accept = c.json().get("sequential").asString().equals("accept")
                && !STRICTER_FROM_THE_FRONT.contains(c.toString());
        ThrowingCallable reading = () -> {
            ByteArrayInputStream archive = new ByteArrayInputStream(c.archive());
            PxarDecoder decoder = c.split()
                    ? PxarDecoder.open(archive, new ByteArrayInputStream(c.payload()), PxarLimits.DEFAULT)
                    : PxarDecoder.open(archive, PxarLimits.DEFAULT);
            Rendering.sequential(decoder);
        };
        judge(accept, reading);
        if (!accept) {
            assertThatThrownBy(reading).isInstanceOf(ArchiveFormatException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void caseReadByLookUp_getsItsVerdict(Case c) throws IOException {
        boolean accept = c.json().get("random_access").asString().equals("accept")
                && !STRICTER_BY_LOOK_UP.contains(c.toString());
        judge(accept, () -> {
            PxarReader reader = PxarReader.open(
                    new ArrayByteSource(c.archive()),
                    c.split() ? new ArrayByteSource(c.payload()) : null,
                    PxarLimits.DEFAULT);
            Rendering.random(reader, reader.root(), 0, new ArrayList<>());
        });
    }
}
