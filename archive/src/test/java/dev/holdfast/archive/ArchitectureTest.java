package dev.holdfast.archive;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows between the rooms of this module, and those that leave it. */
@AnalyzeClasses(packages = "dev.holdfast.archive", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "dev.holdfast.archive";

    @ArchTest
    static final ArchRule NO_CYCLES = slices().matching(ROOT + ".(**)")
            .should()
            .beFreeOfCycles()
            .because("a room that needs its user is one room");

    @ArchTest
    static final ArchRule FORMATS_STAND_ALONE = noClasses()
            .that()
            .resideInAnyPackage(ROOT + ".chunk", ROOT + ".pxar", ROOT + ".catalog")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT + ".tree", "dev.holdfast.posix..")
            .because("a format is bytes in and bytes out; only the walk of trees touches the disk");

    @ArchTest
    static final ArchRule FORMATS_DO_NOT_KNOW_EACH_OTHER = noClasses()
            .that()
            .resideInAPackage(ROOT + ".pxar")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT + ".catalog", ROOT + ".chunk")
            .because("only the walk of trees writes an archive and its catalogue side by side");

    @ArchTest
    static final ArchRule NO_STORE_AND_NO_FACES = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.springframework..",
                    "dev.holdfast.datastore..",
                    "dev.holdfast.engine..",
                    "dev.holdfast.shell..",
                    "jnr..")
            .because("what is archived reaches a store through the engine, by ByteSource and OutputStream");
}
