package dev.ingest.app.format;

import dev.ingest.mapping.UnfitValueException;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decoders by schema id. An id never changes its schema, so what was found is kept, the least used
 * dropped first. An id that the registry has none of is asked for again for a while, since
 * registries copy late, and then remembered as unknown for a while, during which other unknown ids
 * are not waited for. Thread-safe; asks outside its monitor.
 */
final class SchemaCache {
  static final int MOST = 1000;

  /** How long an unknown id may be a late copy. */
  static final Duration GRACE = Duration.ofSeconds(5);

  /** How long an id stays unknown, or its schema unusable, before it is asked for again. */
  static final Duration REMEMBERED = Duration.ofMinutes(1);

  private final Registry registry;
  private final Compiler compiler;
  private final InstantSource clock;

  private final Map<Integer, Decoder> found = new Recent<>();
  private final Map<Integer, Refused> refused = new Recent<>();
  private final Map<Integer, Instant> firstAsked = new Recent<>();

  /** While ids are given up, no other unknown one is waited for. */
  private Instant strictUntil = Instant.MIN;

  /** Makes a decoder of a schema. */
  @FunctionalInterface
  interface Compiler {
    /**
     * @throws UnusableSchemaException where none can be made of it
     */
    Decoder compile(Registry registry, Registry.RegisteredSchema schema);
  }

  private record Refused(String reason, Instant until) {}

  SchemaCache(Registry registry, Compiler compiler, InstantSource clock) {
    this.registry = registry;
    this.compiler = compiler;
    this.clock = clock;
  }

  /**
   * @throws UnfitValueException where the registry has no such schema, or one that can't be used
   * @throws StoreFault where the registry can't be asked
   */
  Decoder get(int id) {
    synchronized (this) {
      Decoder known = found.get(id);
      if (known != null) {
        return known;
      }
      Refused no = refused.get(id);
      if (no != null && clock.instant().isBefore(no.until())) {
        throw new UnfitValueException("22000", no.reason());
      }
    }
    Optional<Registry.RegisteredSchema> schema = registry.byId(id);
    if (schema.isEmpty()) {
      throw unknown(id);
    }
    try {
      Decoder made = compiler.compile(registry, schema.get());
      synchronized (this) {
        found.put(id, made);
        firstAsked.remove(id);
        refused.remove(id);
      }
      return made;
    } catch (UnusableSchemaException unusable) {
      throw refuse(id, "schema id=" + id + " can't be used: " + unusable.getMessage());
    }
  }

  /** Ids that are kept in the largest of the three memories. */
  synchronized int size() {
    return Math.max(found.size(), Math.max(refused.size(), firstAsked.size()));
  }

  private synchronized RuntimeException unknown(int id) {
    Instant now = clock.instant();
    Instant first = firstAsked.computeIfAbsent(id, none -> now);
    if (now.isBefore(first.plus(GRACE)) && !now.isBefore(strictUntil)) {
      return new StoreFault(
          FaultKind.TRANSIENT, null, "schema registry: it has no schema id=" + id + " yet", null);
    }
    strictUntil = now.plus(REMEMBERED); // where bytes are no ids at all, each would cost the grace
    // For the same case the reason does not say the id: it is a part of the payload then.
    return refuse(id, "the schema registry has no schema of the id that the value names");
  }

  private synchronized UnfitValueException refuse(int id, String reason) {
    refused.put(id, new Refused(reason, clock.instant().plus(REMEMBERED)));
    return new UnfitValueException("22000", reason);
  }

  /** Keeps what was used last. */
  private static final class Recent<V> extends LinkedHashMap<Integer, V> {
    private static final long serialVersionUID = 1L;

    Recent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Integer, V> eldest) {
      return size() > MOST;
    }
  }
}
