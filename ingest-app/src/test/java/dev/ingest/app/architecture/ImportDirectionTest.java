package dev.ingest.app.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/**
 * The program uses the library, never the reverse; embedded servers stay off the production path.
 */
final class ImportDirectionTest {
  private static final String CLI = "dev.ingest.app.cli..";
  private static final String DEV = "dev.ingest.app.dev..";
  private static final String BENCH = "dev.ingest.app.bench..";

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.ingest");

  @Test
  void onlyDemoAndBenchStartEmbeddedServers() {
    DescribedPredicate<JavaClass> demoOrBenchCommand =
        resideInAPackage(CLI)
            .and(
                describe(
                    "named Demo… or Bench…",
                    type -> {
                      String name = type.getName().substring(type.getPackageName().length() + 1);
                      return name.startsWith("Demo") || name.startsWith("Bench");
                    }));

    noClasses()
        .that(not(resideInAnyPackage(DEV, BENCH).or(demoOrBenchCommand)))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(DEV)
        .check(MAIN);
  }

  @Test
  void onlyDevTouchesTheServersThemselves() {
    noClasses()
        .that()
        .resideOutsideOfPackage(DEV)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.zonky..",
            "kafka..",
            "scala..",
            "org.apache.kafka.server..",
            "org.apache.kafka.metadata..",
            "org.apache.kafka.storage..",
            "org.apache.kafka.raft..")
        .check(MAIN);
  }

  @Test
  void commandsAreTheOutermostLayer() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.ingest.app.config..", "dev.ingest.app.http..", "dev.ingest.app.metrics..", DEV)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(CLI, BENCH)
        .check(MAIN);
  }

  @Test
  void settingsKnowNoServer() {
    noClasses()
        .that()
        .resideInAPackage("dev.ingest.app.config..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.ingest.app.http..", "dev.ingest.app.metrics..", DEV)
        .check(MAIN);
  }
}
