package dev.holdfast.shell.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The tour, with the real jar. It checks itself; here its document is looked at. */
class QuickStartIT {

    @TempDir
    Path directory;

    @Test
    void tour_matchesEverywhere() throws Exception {
        ShellProcess.configure(directory);
        try (ShellProcess tour = ShellProcess.start(
                directory, "quickstart", directory.resolve("a tour").toString(), "--output=json")) {
            assertThat(tour.await()).describedAs(tour.err()).isZero();

            JsonNode json = JsonMapper.shared().readTree(tour.out());
            assertThat(json.get("ok").asBoolean()).isTrue();
            assertThat(json.get("image-bytes").asLong()).isGreaterThan(100 * 1024 * 1024);
            assertThat(json.get("second-new-chunks").asInt()).isEqualTo(3);
            assertThat(json.get("gc-removed-chunks").asInt()).isGreaterThanOrEqualTo(3);
            assertThat(json.get("tree-entries").asInt()).isGreaterThan(50);
            assertThat(json.get("commands").toString()).contains("holdfast gc run demo");
        }
    }
}
