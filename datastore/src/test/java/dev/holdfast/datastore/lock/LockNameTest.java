package dev.holdfast.datastore.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.model.BackupNamespace;
import dev.holdfast.posix.FileStat;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LockNameTest {

    @Test
    void names_areThoseOfTheVectors() throws IOException {
        JsonNode vectors;
        try (InputStream in = LockNameTest.class.getResourceAsStream("lock-names.json")) {
            vectors = JsonMapper.shared().readTree(in);
        }
        assertThat(vectors.size()).isEqualTo(5);
        for (JsonNode vector : vectors) {
            List<String> components = new ArrayList<>();
            vector.get("ns").forEach(component -> components.add(component.asString()));
            String name = LockName.of(
                    new BackupNamespace(components), vector.get("rel").asString());
            assertThat(DirectoryLocks.DEFAULT_DIRECTORY
                            .resolve(vector.get("store").asString())
                            .resolve(name))
                    .hasToString(vector.get("path").asString());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/vm/100, vm-100",
        "vm/1-0, vm-1\\x2d0",
        ".hidden/a.b, \\x2ehidden-a.b",
        "host/a_B.9, host-a_B.9",
        "ü, \\xc3\\xbc"
    })
    void escape_isThatOfUnitNames(String path, String escaped) {
        assertThat(LockName.escape(path)).isEqualTo(escaped);
    }

    @Test
    void longNames_areHashedFrom255On() {
        assertThat(LockName.of(BackupNamespace.ROOT, "x".repeat(254))).isEqualTo("x".repeat(254));
        assertThat(LockName.of(BackupNamespace.ROOT, "x".repeat(255)))
                .startsWith("hashed/" + "x".repeat(80) + "..." + "x".repeat(80) + "-")
                .hasSize(7 + 80 + 3 + 80 + 1 + 64);
    }

    @Test
    void flockHolder_isFoundByDeviceAndInode() {
        FileStat file = new FileStat();
        file.set(new long[] {0x1a << 8 | 0x03, 233, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
        String line = "1: POSIX  ADVISORY  WRITE 11 1a:03:233 0 EOF\n"
                + "2: FLOCK  ADVISORY  WRITE 12 1a:03:234 0 EOF\n"
                + "3: -> FLOCK  ADVISORY  WRITE 13 1a:03:233 0 EOF\n";
        assertThat(LockHolder.flockHolder(line, file)).isEmpty();
        assertThat(LockHolder.flockHolder(line + "4: FLOCK  ADVISORY  READ  14 1a:03:233 0 EOF\n", file))
                .isEqualTo(OptionalLong.of(14));
        assertThat(LockHolder.describe(0)).isEqualTo("another process");
        assertThat(LockHolder.describe(ProcessHandle.current().pid())).isEqualTo("this process");
    }
}
