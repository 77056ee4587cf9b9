package dev.holdfast.shell;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;

/** The arrows between modules above the datastore; those inside it have a test of their own. */
@AnalyzeClasses(
        packages = "dev.holdfast",
        importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.ProductionOnly.class})
class ArchitectureTest {

    /** The testkit is for tests of all modules, and may see everything. */
    static final class ProductionOnly implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("testkit");
        }
    }

    @ArchTest
    static final ArchRule SHELL_STANDS_ON_THE_ENGINE = noClasses()
            .that()
            .resideInAPackage("dev.holdfast.shell..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.holdfast.datastore..", "dev.holdfast.posix..", "dev.holdfast.archive..")
            .because("a face calls jobs of the engine; nothing below it is its business");

    @ArchTest
    static final ArchRule ENGINE_IS_PLAIN_JAVA = noClasses()
            .that()
            .resideInAPackage("dev.holdfast.engine..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..", "org.jline..", "dev.holdfast.shell..")
            .because("both faces stand on the engine, and it runs in tests without them");

    @ArchTest
    static final ArchRule TASKS_KNOW_NO_JOBS = noClasses()
            .that()
            .resideInAPackage("dev.holdfast.engine.task")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.holdfast.engine.job", "dev.holdfast.engine.wiring", "dev.holdfast.engine.config")
            .because("a task reports; what it does is its job's business");

    @ArchTest
    static final ArchRule ONLY_WIRING_BUILDS_STORES = noClasses()
            .that()
            .resideInAPackage("dev.holdfast.engine..")
            .and()
            .resideOutsideOfPackage("dev.holdfast.engine.wiring")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("dev.holdfast.datastore.DatastoreFactory")
            .because("one place builds and wraps stores");

    @ArchTest
    static final ArchRule API_TYPES_STAND_ALONE = classes()
            .that()
            .resideInAPackage("dev.holdfast.api..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.holdfast.api..", "java..", "org.jspecify..")
            .because("what crosses the wire does no I/O and needs no library");

    @ArchTest
    static final ArchRule ONLY_THE_DOOR_IMPORTS_THE_NATIVE_LIBRARY = noClasses()
            .that()
            .resideOutsideOfPackage("dev.holdfast.posix..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jnr..", "com.kenai.jffi..")
            .because("system calls go through module posix, where faults can be injected");

    @ArchTest
    static final ArchRule NO_CYCLES = slices().matching("dev.holdfast.(*).(**)")
            .should()
            .beFreeOfCycles()
            .because("a room that needs its user is one room");

    @ArchTest
    static final ArchRule NO_CLOCK_BUT_THE_ONE_GIVEN = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("dev.holdfast.shell.ShellConfiguration")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .because("time is a parameter; the shell's configuration is where it comes in");
}
