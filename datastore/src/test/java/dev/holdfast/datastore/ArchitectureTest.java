package dev.holdfast.datastore;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The arrows between the rooms: what is not listed here is forbidden. */
@AnalyzeClasses(packages = "dev.holdfast.datastore", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "dev.holdfast.datastore";

    /** Rooms that each room may import, besides itself, {@code error} and the types of the API. */
    private static final Map<String, Set<String>> ARROWS = Map.ofEntries(
            Map.entry("error", Set.of()),
            Map.entry("task", Set.of()),
            Map.entry("layout", Set.of()),
            Map.entry("lock", Set.of("posix")),
            Map.entry("blob", Set.of()),
            Map.entry("key", Set.of("blob", "posix")),
            Map.entry("index", Set.of("posix")),
            Map.entry("manifest", Set.of("blob")),
            Map.entry("chunk", Set.of("blob", "task")),
            Map.entry("chunk.fs", Set.of("chunk", "layout", "lock", "posix", "blob", "task")),
            Map.entry("snapshot", Set.of("task", "chunk", "index", "manifest", "blob", "layout", "lock", "posix")),
            Map.entry(
                    "gc", Set.of("chunk", "blob", "index", "snapshot", "manifest", "layout", "lock", "task", "posix")),
            Map.entry("verify", Set.of("chunk", "index", "manifest", "snapshot", "blob", "task", "posix")),
            Map.entry("prune", Set.of("snapshot", "task")),
            Map.entry("restore", Set.of("task", "chunk", "index", "manifest", "snapshot", "blob")));

    @ArchTest
    static final ArchRule NO_CYCLES = slices().matching(ROOT + ".(**)")
            .should()
            .beFreeOfCycles()
            .because("a room that needs its user is one room");

    @ArchTest
    static final ArchRule ONLY_THE_DOOR_IMPORTS_THE_NATIVE_LIBRARY = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jnr..", "com.kenai.jffi..")
            .because("system calls go through module posix, where faults can be injected");

    @ArchTest
    static final ArchRule NO_CLOCK_BUT_THE_ONE_GIVEN = noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(java.time.Instant.class, "now")
            .orShould()
            .callMethod(java.time.Clock.class, "systemUTC")
            .because("time is a parameter: a test moves the clock, it does not sleep");

    @ArchTest
    static final ArchRule NO_FACES = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.springframework..", "dev.holdfast.engine..", "dev.holdfast.shell..", "dev.holdfast.archive..")
            .because("a store knows nothing of who uses it");

    @TestFactory
    java.util.stream.Stream<DynamicTest> room_importsOnlyWhatItsArrowsAllow() {
        var classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(ROOT);
        return ARROWS.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(arrow -> DynamicTest.dynamicTest(
                        arrow.getKey(),
                        () -> noClasses()
                                .that()
                                .resideInAPackage(ROOT + "." + arrow.getKey())
                                .should()
                                .dependOnClassesThat(outside(arrow.getKey(), arrow.getValue()))
                                .allowEmptyShould(true)
                                .check(classes)));
    }

    private static DescribedPredicate<JavaClass> outside(String room, Set<String> allowed) {
        return DescribedPredicate.describe("lie outside the arrows of room " + room, target -> {
            String name = target.getPackageName();
            if (name.startsWith("dev.holdfast.posix")) {
                return !allowed.contains("posix");
            }
            if (!name.startsWith(ROOT)) {
                return false;
            }
            String other = name.length() == ROOT.length() ? "(root)" : name.substring(ROOT.length() + 1);
            return !other.equals(room) && !other.equals("error") && !allowed.contains(other);
        });
    }
}
