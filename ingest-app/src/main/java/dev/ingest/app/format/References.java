package dev.ingest.app.format;

import dev.ingest.app.format.Registry.Reference;
import dev.ingest.app.format.Registry.RegisteredSchema;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;

/** Walks through the schemas that a schema uses, each once, the used before the user. Used once. */
final class References {
  private static final int MOST = 1000;

  private final Registry registry;
  private final Set<Reference> seen = new HashSet<>();

  References(Registry registry) {
    this.registry = registry;
  }

  /**
   * @throws UnusableSchemaException where the registry lacks one, or there are too many
   */
  void forEach(RegisteredSchema schema, BiConsumer<Reference, RegisteredSchema> used) {
    for (Reference reference : schema.references()) {
      if (!seen.add(reference)) {
        continue;
      }
      if (seen.size() > MOST) {
        throw new UnusableSchemaException("it uses more than " + MOST + " other schemas");
      }
      RegisteredSchema other =
          registry
              .byReference(reference)
              .orElseThrow(
                  () ->
                      new UnusableSchemaException(
                          "it uses subject "
                              + reference.subject()
                              + " version "
                              + reference.version()
                              + ", which the registry does not have"));
      forEach(other, used);
      used.accept(reference, other);
    }
  }
}
