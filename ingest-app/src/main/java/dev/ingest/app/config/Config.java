package dev.ingest.app.config;

import dev.ingest.event.IngestException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The settings of this process, all valid. Immutable. A command names the concerns whose required
 * settings it needs when it loads; asking for another one later is a fault of the program and
 * throws {@link IllegalStateException}.
 */
public final class Config {
  private final Values values;

  private Config(Values values) {
    this.values = values;
  }

  /**
   * Reads files and nothing else: no connection is made.
   *
   * @throws IngestException {@code CONFIG_INVALID}, with every problem in one line
   */
  public static Config load(SettingSources sources, Set<Concern> needed) {
    Loader loader = new Loader(sources, needed);
    List<String> problems = loader.check();
    if (!problems.isEmpty()) {
      String count = problems.size() == 1 ? "1 problem. " : problems.size() + " problems. ";
      throw new IngestException(
          IngestException.Code.CONFIG_INVALID, count + String.join(". ", problems) + ".");
    }
    return new Config(loader.values());
  }

  /** Needs {@link Concern#SOURCE}. */
  public SourceSettings source() {
    return new SourceSettings(
        values.get(Settings.SOURCE_TOPICS),
        values.get(Settings.SOURCE_GROUP_ID),
        values.get(Settings.SOURCE_CONSUMERS),
        values.get(Settings.SOURCE_START));
  }

  /** Needs {@link Concern#KAFKA}. */
  public KafkaSettings kafka() {
    values.get(Settings.KAFKA_BOOTSTRAP_SERVERS);
    return new KafkaSettings(values.below(Settings.KAFKA));
  }

  public KeySettings key() {
    return KeySettings.of(values);
  }

  public RegistrySettings registry() {
    return new RegistrySettings(
        values.find(Settings.REGISTRY_URL).orElse(List.of()),
        values.find(Settings.REGISTRY_USER).orElse(""),
        values.find(Settings.REGISTRY_PASSWORD).orElse(Secret.NONE),
        values.get(Settings.REGISTRY_TIMEOUT));
  }

  /** Which ways events go, at least one. Needs {@link Concern#SOURCE}. */
  public List<RouteSettings> routes() {
    return Routing.of(values);
  }

  public BatchSettings batch() {
    return new BatchSettings(
        values.get(Settings.BATCH_MAX_EVENTS),
        values.get(Settings.BATCH_MAX_BYTES),
        values.get(Settings.BATCH_LINGER),
        values.get(Settings.BUFFER_MAX_BYTES));
  }

  public LockSettings lock() {
    return new LockSettings(
        values.get(Settings.LOCK_MODE),
        values.get(Settings.LOCK_STRIPES),
        values.get(Settings.LOCK_BUDGET),
        values.get(Settings.LOCK_TIMEOUT),
        values.find(Settings.LOCK_NAMESPACE).map(OptionalInt::of).orElse(OptionalInt.empty()));
  }

  /** Needs {@link Concern#POSTGRES}. */
  public PostgresSettings postgres() {
    return new PostgresSettings(
        values.get(Settings.POSTGRES_URL),
        values.get(Settings.POSTGRES_USER),
        values.find(Settings.POSTGRES_PASSWORD).orElse(Secret.NONE),
        values.get(Settings.POSTGRES_APPLICATION_NAME),
        values.get(Settings.POSTGRES_CONNECT_TIMEOUT),
        values.get(Settings.POSTGRES_STATEMENT_TIMEOUT),
        values.get(Settings.POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT),
        values.get(Settings.POSTGRES_SOCKET_TIMEOUT));
  }

  public ErrorSettings errors() {
    return new ErrorSettings(
        values.get(Settings.ERRORS_BAD_EVENT),
        values.find(Settings.ERRORS_DEAD_LETTER_TOPIC).orElse(""),
        values.get(Settings.ERRORS_MAX_SHARE));
  }

  public ParkedSettings parked() {
    return new ParkedSettings(
        values.get(Settings.PARKED_RETRY), values.get(Settings.PARKED_MAX_ATTEMPTS));
  }

  /** Jobs that new events make; none where none are set. Needs {@link Concern#SOURCE}. */
  public List<JobSettings> jobs() {
    return JobReading.of(values);
  }

  /** Threads for each of {@link #jobs}. */
  public int workers() {
    return values.get(Settings.WORKERS);
  }

  public HttpSettings http() {
    return new HttpSettings(
        values.get(Settings.HTTP_ENABLED),
        values.get(Settings.HTTP_HOST),
        values.get(Settings.HTTP_PORT));
  }

  /** How long a partition may be behind without getting on before the process counts as stuck. */
  public Duration progressTimeout() {
    return values.get(Settings.PROGRESS_TIMEOUT);
  }

  /** How long draining may take when the process is asked to stop. */
  public Duration closeTimeout() {
    return values.get(Settings.CLOSE_TIMEOUT);
  }

  /**
   * Every setting as it stands, in the order of the settings table, then the free names; secrets
   * masked.
   */
  public List<EffectiveSetting> effective() {
    List<EffectiveSetting> all = new ArrayList<>();
    Settings.ALL.forEach(
        setting ->
            all.add(
                values
                    .raw(setting)
                    .map(raw -> EffectiveSetting.of(setting.key(), raw))
                    .orElse(EffectiveSetting.unset(setting.key()))));
    values
        .given()
        .forEach(
            (key, raw) -> {
              if (!Settings.isListed(key) && !SecretNames.isFileOfSecret(key)) {
                all.add(EffectiveSetting.of(key, raw));
              }
            });
    return List.copyOf(all);
  }

  /** What somebody set, as {@code key=value} in one line; secrets masked, defaults left out. */
  public String summary() {
    return effective().stream()
        .filter(each -> values.given().containsKey(each.key()))
        .map(each -> each.key() + "=" + each.value())
        .collect(Collectors.joining(" "));
  }

  /** Names the class alone: settings may hold secrets. */
  @Override
  public String toString() {
    return "Config[" + values.given().size() + " given]";
  }
}
