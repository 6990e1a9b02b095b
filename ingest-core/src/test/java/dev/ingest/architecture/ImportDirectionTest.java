package dev.ingest.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The folder list is the architecture: adapters → pipeline → plan → event, and never back. For I5:
 * who holds a database connection can call neither Kafka nor HTTP.
 */
final class ImportDirectionTest {
  private static final String EVENT = "dev.ingest.event..";
  private static final String PLAN = "dev.ingest.plan..";
  private static final String PIPELINE = "dev.ingest.pipeline..";
  private static final String KAFKA = "dev.ingest.kafka..";
  private static final String MAPPING = "dev.ingest.mapping..";
  private static final String POSTGRES = "dev.ingest.postgres..";
  private static final String QUEUE = "dev.ingest.queue..";

  private static final String JSPECIFY = "org.jspecify..";

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.ingest");

  @Test
  void everyClassLivesInAKnownPackage() {
    classes()
        .should()
        .resideInAnyPackage(EVENT, PLAN, MAPPING, PIPELINE, KAFKA, POSTGRES, QUEUE)
        .check(MAIN);
  }

  @Test
  void importsPointInward() {
    var layers = layeredArchitecture().consideringOnlyDependenciesInLayers();
    layers
        .withOptionalLayers(true)
        .layer("event")
        .definedBy(EVENT)
        .layer("plan")
        .definedBy(PLAN)
        .layer("mapping")
        .definedBy(MAPPING)
        .layer("pipeline")
        .definedBy(PIPELINE)
        .layer("kafka")
        .definedBy(KAFKA)
        .layer("postgres")
        .definedBy(POSTGRES)
        .layer("queue")
        .definedBy(QUEUE)
        .whereLayer("event")
        .mayNotAccessAnyLayer()
        .whereLayer("plan")
        .mayOnlyAccessLayers("event")
        .whereLayer("mapping")
        .mayOnlyAccessLayers("event")
        .whereLayer("pipeline")
        .mayOnlyAccessLayers("plan", "event")
        .whereLayer("kafka")
        .mayOnlyAccessLayers("pipeline", "plan", "event")
        .whereLayer("postgres")
        .mayOnlyAccessLayers("pipeline", "plan", "mapping", "event")
        .whereLayer("queue")
        .mayOnlyAccessLayers("plan", "event")
        .check(MAIN);
  }

  @Test
  void eventUsesJavaBaseOnly() {
    noClasses()
        .that()
        .resideInAPackage(EVENT)
        .should()
        .dependOnClassesThat(outsideJavaBaseAnd(EVENT, JSPECIFY))
        .check(MAIN);
  }

  @Test
  void planUsesJavaBaseAndTheJsonParserOnly() {
    noClasses()
        .that()
        .resideInAPackage(PLAN)
        .should()
        .dependOnClassesThat(
            outsideJavaBaseAnd(EVENT, PLAN, JSPECIFY, "com.fasterxml.jackson.core.."))
        .check(MAIN);
  }

  @Test
  void planStartsNoThreadAndOpensNothing() {
    noClasses()
        .that()
        .resideInAPackage(PLAN)
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Thread.class)
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels..")
        .check(MAIN);
  }

  @Test
  void planIsHandedTimeAndChance() {
    noClasses()
        .that()
        .resideInAPackage(PLAN)
        .should()
        .callCodeUnitWhere(new ReadsClockOrChance())
        .check(MAIN);
  }

  @Test
  void onlyTheKafkaAdapterTouchesKafka() {
    noClasses()
        .that()
        .resideOutsideOfPackage(KAFKA)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.kafka..")
        .check(MAIN);
  }

  @Test
  void onlyPostgresAndQueueTouchJdbc() {
    noClasses()
        .that()
        .resideOutsideOfPackages(POSTGRES, QUEUE)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..", "com.zaxxer..")
        .check(MAIN);
  }

  private static DescribedPredicate<JavaClass> outsideJavaBaseAnd(String... packages) {
    Set<String> javaBase = Object.class.getModule().getPackages();
    DescribedPredicate<JavaClass> inJavaBase =
        DescribedPredicate.describe(
            "in java.base",
            type -> {
              JavaClass element = type.getBaseComponentType();
              return element.isPrimitive() || javaBase.contains(element.getPackageName());
            });
    return not(inJavaBase.or(resideInAnyPackage(packages)));
  }

  /**
   * Calls whose answer differs from run to run: clocks of this machine and unseeded random numbers.
   */
  private static final class ReadsClockOrChance extends DescribedPredicate<JavaCall<?>> {
    private static final Set<String> METHODS =
        Set.of(
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime",
            "java.lang.Math.random",
            "java.time.InstantSource.system",
            "java.util.UUID.randomUUID",
            "java.util.concurrent.ThreadLocalRandom.current");

    ReadsClockOrChance() {
      super("the clock is read or unseeded chance is used");
    }

    @Override
    public boolean test(JavaCall<?> call) {
      String owner = call.getTargetOwner().getName();
      String method = call.getName();
      boolean clock = owner.startsWith("java.time.") && method.equals("now");
      boolean zoneClock = owner.equals("java.time.Clock") && method.startsWith("system");
      boolean unseeded =
          method.equals("<init>")
              && owner.startsWith("java.util.")
              && owner.endsWith("Random")
              && call.getTarget().getRawParameterTypes().isEmpty();
      return clock || zoneClock || unseeded || METHODS.contains(owner + "." + method);
    }
  }
}
