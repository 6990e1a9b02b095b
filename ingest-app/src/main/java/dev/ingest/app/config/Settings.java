package dev.ingest.app.config;

import static dev.ingest.app.config.NumberTypes.bytes;
import static dev.ingest.app.config.NumberTypes.duration;
import static dev.ingest.app.config.NumberTypes.integer;
import static dev.ingest.app.config.NumberTypes.integerOrAuto;
import static dev.ingest.app.config.TextTypes.bool;
import static dev.ingest.app.config.TextTypes.oneOf;
import static dev.ingest.app.config.TextTypes.path;
import static dev.ingest.app.config.TextTypes.secret;
import static dev.ingest.app.config.TextTypes.text;

import dev.ingest.plan.KeyRules;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * Every setting there is, in the order of the settings table. Parsing, defaults, checks, the names
 * in the environment, {@code ingest config} and the table in the README all come from here. One
 * table, so it stays in one piece.
 */
final class Settings {
  static final Setting<Topics> SOURCE_TOPICS =
      Setting.required(
          "ingest.source.topics",
          TextTypes.of("names, or one pattern", Topics::parse),
          "What to read: topic names, or one regular expression such as `orders-.*`.");
  static final Setting<String> SOURCE_GROUP_ID =
      Setting.of("ingest.source.group-id", text(255), "ingest", "Kafka consumer group.");
  static final Setting<Integer> SOURCE_CONSUMERS =
      Setting.of(
          "ingest.source.consumers",
          integer(1, 256),
          "1",
          "Consumers in this process, each with a polling thread, a writing thread and a connection.");
  static final Setting<SourceSettings.Start> SOURCE_START =
      Setting.of(
          "ingest.source.start",
          oneOf(SourceSettings.Start.class),
          "earliest",
          "Where a group begins that has no committed offsets yet; never used after that.");
  static final Setting<String> KAFKA_BOOTSTRAP_SERVERS =
      Setting.required(
          "ingest.kafka.bootstrap.servers",
          text(4096),
          "Kafka brokers, `host:port` joined by commas.");
  static final Setting<List<KeyPart>> KEY_FROM =
      Setting.of(
          "ingest.key.from",
          TextTypes.of("`record-key` · `header:NAME` · `json:/pointer`", KeyPart::parseAll),
          "record-key",
          "Where the business key is: one place, or several joined by commas.");
  static final Setting<List<KeyRules.Normalization>> KEY_NORMALIZE =
      Setting.optional(
          "ingest.key.normalize",
          TextTypes.several(KeyRules.Normalization.class),
          "What makes keys alike that differ in form alone, joined by commas, in this order; nothing by"
              + " default.");
  static final Setting<KeyRules.TooLong> KEY_TOO_LONG =
      Setting.of(
          "ingest.key.too-long",
          oneOf(KeyRules.TooLong.class),
          "park",
          "A key of more than 2,692 bytes, which no index holds: `park` refuses the event, `digest` stores"
              + " `sha256:` and 64 hexadecimal digits instead.");
  static final Setting<ValueSettings.Format> VALUE_FORMAT =
      Setting.of(
          "ingest.value.format",
          oneOf(ValueSettings.Format.class),
          "json",
          "What record values are written in ([formats](ingest-app/docs/formats.md)).");
  static final Setting<ValueSettings.Envelope> VALUE_ENVELOPE =
      Setting.of(
          "ingest.value.envelope",
          oneOf(ValueSettings.Envelope.class),
          "none",
          "What lies around the event: with `debezium`, events are the `after` of change events.");
  static final Setting<List<ValueSettings.Operation>> VALUE_OPERATIONS =
      Setting.of(
          "ingest.value.operations",
          TextTypes.several(ValueSettings.Operation.class),
          "create,read",
          "Which Debezium change events are stored, joined by commas; all others are skipped.");
  static final Setting<Path> VALUE_SCHEMA_FILE =
      Setting.optional(
          "ingest.value.schema-file",
          path(),
          "Avro schema of values that name none; without it schemas come from the registry.");
  static final Setting<List<URI>> REGISTRY_URL =
      Setting.optional(
          "ingest.value.registry.url",
          TextTypes.of("`http(s)://…`", RegistrySettings::parseUrls),
          "Schema registry, or several addresses of one joined by commas, tried in order.");
  static final Setting<String> REGISTRY_USER =
      Setting.optional(
          "ingest.value.registry.user", text(255), "User for the registry's basic authentication.");
  static final Setting<Secret> REGISTRY_PASSWORD =
      Setting.optional("ingest.value.registry.password", secret(), "Its password.");
  static final Setting<Path> REGISTRY_PASSWORD_FILE =
      Setting.optional(
          "ingest.value.registry.password-file",
          path(),
          "File that holds the password, in place of `ingest.value.registry.password`.");
  static final Setting<Duration> REGISTRY_TIMEOUT =
      Setting.of(
          "ingest.value.registry.timeout",
          duration("100ms", "1m"),
          "3s",
          "How long one address of the registry may take to answer.");
  static final Setting<String> TARGET_TABLE =
      Setting.of(
          "ingest.target.table",
          text(255),
          "ingest.event",
          "Table to write to, as SQL names it: `schema.table`.");
  static final Setting<List<String>> TARGET_KEY_COLUMNS =
      Setting.optional(
          "ingest.target.key-columns",
          TextTypes.names(),
          "Columns of the unique index on the business key; without it the column that is filled from"
              + " `key`.");
  static final Setting<Integer> BATCH_MAX_EVENTS =
      Setting.of(
          "ingest.batch.max-events", integer(1, 100_000), "1000", "Events in a batch, at most.");
  static final Setting<Long> BATCH_MAX_BYTES =
      Setting.of(
          "ingest.batch.max-bytes",
          bytes("1KiB", "1GiB"),
          "8MiB",
          "Size of a batch in memory, at most. A larger event is not read into memory: it counts as one that"
              + " cannot be stored, kept by reference to its place in Kafka.");
  static final Setting<Duration> BATCH_LINGER =
      Setting.of(
          "ingest.batch.linger",
          duration("0ms", "1m"),
          BatchSettings.DEFAULT_LINGER_MILLIS + "ms",
          "How long a batch that is not full waits for more events.");
  static final Setting<Long> BUFFER_MAX_BYTES =
      Setting.of(
          "ingest.buffer.max-bytes",
          bytes("1KiB", "16GiB"),
          "16MiB",
          "Events read and not yet stored, for each consumer; above it, reading pauses.");
  static final Setting<LockSettings.Mode> LOCK_MODE =
      Setting.of(
          "ingest.lock.mode",
          oneOf(LockSettings.Mode.class),
          "key",
          "`key`: a lock for each business key; `stripe`: keys share `ingest.lock.stripes` locks;"
              + " `none`: the unique index alone.");
  static final Setting<Integer> LOCK_STRIPES =
      Setting.of(
          "ingest.lock.stripes",
          integer(1, 1_000_000),
          "256",
          "Locks that all keys share, with mode `stripe`; the same in every process.");
  static final Setting<OptionalInt> LOCK_BUDGET =
      Setting.of(
          "ingest.lock.budget",
          integerOrAuto(1, 1_000_000),
          "auto",
          "Locks in one transaction, at most; `auto` stays below the server's"
              + " `max_locks_per_transaction`.");
  static final Setting<Duration> LOCK_TIMEOUT =
      Setting.of(
          "ingest.lock.timeout",
          duration("10ms", "10m"),
          "5s",
          "`lock_timeout` of our sessions; after it the batch is tried again.");
  static final Setting<Integer> LOCK_NAMESPACE =
      Setting.optional(
          "ingest.lock.namespace",
          integer(Integer.MIN_VALUE, Integer.MAX_VALUE),
          "First number of `pg_advisory_xact_lock(namespace, hash)`, to keep our locks apart from other"
              + " applications'; without it `pg_advisory_xact_lock(hash)` is taken.");
  static final Setting<String> POSTGRES_URL =
      Setting.required(
          "ingest.postgres.url",
          TextTypes.of("`jdbc:postgresql://…`", PostgresUrl::parse),
          "JDBC address, without user and password; several hosts are tried in order.");
  static final Setting<String> POSTGRES_USER =
      Setting.required("ingest.postgres.user", text(63), "Role to connect as.");
  static final Setting<Secret> POSTGRES_PASSWORD =
      Setting.optional(
          "ingest.postgres.password",
          secret(),
          "Its password; not needed with trust, certificate or `~/.pgpass` authentication.");
  static final Setting<Path> POSTGRES_PASSWORD_FILE =
      Setting.optional(
          "ingest.postgres.password-file",
          path(),
          "File that holds the password, in place of `ingest.postgres.password`.");
  static final Setting<String> POSTGRES_APPLICATION_NAME =
      Setting.of(
          "ingest.postgres.application-name",
          text(63),
          "ingest",
          "`application_name` of our sessions, as seen in `pg_stat_activity`.");
  static final Setting<Duration> POSTGRES_CONNECT_TIMEOUT =
      Setting.of(
          "ingest.postgres.connect-timeout",
          duration("1s", "5m"),
          "10s",
          "How long one try to connect may take.");
  static final Setting<Duration> POSTGRES_STATEMENT_TIMEOUT =
      Setting.of(
          "ingest.postgres.statement-timeout",
          duration("100ms", "1h"),
          "30s",
          "`statement_timeout` of our sessions; longer than `ingest.lock.timeout`.");
  static final Setting<Duration> POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT =
      Setting.of(
          "ingest.postgres.idle-in-transaction-timeout",
          duration("1s", "1h"),
          "10s",
          "`idle_in_transaction_session_timeout` of our sessions: how long a frozen process may hold its"
              + " locks.");
  static final Setting<Duration> POSTGRES_SOCKET_TIMEOUT =
      Setting.of(
          "ingest.postgres.socket-timeout",
          duration("1s", "2h"),
          "45s",
          "How long one step may take, sending and waiting, before the connection is given up; longer than"
              + " `ingest.postgres.statement-timeout`.");
  static final Setting<ErrorSettings.BadEvent> ERRORS_BAD_EVENT =
      Setting.of(
          "ingest.errors.bad-event",
          oneOf(ErrorSettings.BadEvent.class),
          "park",
          "An event that cannot be stored: `park` keeps it in `ingest.parked`, `dead-letter` sends it to"
              + " a topic, `stop` stops its consumer.");
  static final Setting<String> ERRORS_DEAD_LETTER_TOPIC =
      Setting.optional(
          "ingest.errors.dead-letter-topic",
          TextTypes.of("a topic", DeadLetterTopic::parse),
          "Topic for `ingest.errors.bad-event=dead-letter`.");
  static final Setting<Double> ERRORS_MAX_SHARE =
      Setting.of(
          "ingest.errors.max-share",
          NumberTypes.share(),
          "0.5",
          "Share of events that cannot be stored, of those of the last minute and at least 100; above it"
              + " writing pauses with an alarm and nothing more is kept aside. `1` for no limit.");
  static final Setting<ParkedSettings.HealingCauses> PARKED_RETRY =
      Setting.of(
          "ingest.parked.retry",
          TextTypes.of(
              "`foreign-key` · `missing-partition` · SQLSTATEs · `none`",
              ParkedSettings.HealingCauses::parse),
          "foreign-key,missing-partition",
          "Causes that heal by themselves, joined by commas: such parked events are tried again, after 30 s"
              + " at first and twice as long each time.");
  static final Setting<Integer> PARKED_MAX_ATTEMPTS =
      Setting.of(
          "ingest.parked.max-attempts",
          integer(1, 1_000_000),
          "10",
          "Tries of a parked event in all; then it waits for a person.");
  static final Setting<Integer> WORKERS =
      Setting.of(
          "ingest.workers",
          integer(0, 256),
          "1",
          "Threads in this process for each of `ingest.jobs`; 0 leaves the work to other processes.");
  static final Setting<Boolean> HTTP_ENABLED =
      Setting.of(
          "ingest.http.enabled", bool(), "true", "Whether health, metrics and console are served.");
  static final Setting<String> HTTP_HOST =
      Setting.of(
          "ingest.http.host",
          text(255),
          "127.0.0.1",
          "Address to serve on; `0.0.0.0` for all, as in a container.");
  static final Setting<Integer> HTTP_PORT =
      Setting.of(
          "ingest.http.port", integer(0, 65_535), "8080", "Port to serve on; 0 for a free one.");
  static final Setting<Duration> PROGRESS_TIMEOUT =
      Setting.of(
          "ingest.progress-timeout",
          duration("10s", "1d"),
          "5m",
          "How long a partition may be behind and not get on, though no fault is known, before `/livez`"
              + " fails; longer than `ingest.postgres.socket-timeout`.");
  static final Setting<Duration> CLOSE_TIMEOUT =
      Setting.of(
          "ingest.close-timeout",
          duration("1s", "10m"),
          "25s",
          "How long draining may take after SIGTERM; what is not stored by then is read again later.");

  static final FreePrefix KAFKA =
      new FreePrefix(
          "ingest.kafka.",
          '.',
          "text",
          "Any other name is passed to the Kafka clients as it is; secrets among them also as"
              + " `…-file`.");

  static final FreePrefix TARGET_COLUMNS =
      new FreePrefix(
          "ingest.target.columns.",
          '_',
          "`json:/pointer` · `header:NAME` · `key` · `timestamp` · `topic` · `partition` · `offset` ·"
              + " `payload` · `headers` · `constant:TEXT` · `now`",
          "What fills the column of that name; after a vertical bar the form of a time, of bytes or of a"
              + " number ([mapping](ingest-app/docs/mapping.md)).");

  static final FreePrefix ROUTES =
      new FreePrefix(
          "ingest.routes.",
          '.',
          "as without `routes.NAME.`",
          "Several ways for events: `ingest.routes.NAME.topics` says whose events go this way, and"
              + " `ingest.routes.NAME.key.from`, `….target.table` and so on hold for them"
              + " ([routes](ingest-app/docs/mapping.md)).");

  static final FreePrefix JOBS =
      new FreePrefix(
          "ingest.jobs.",
          '.',
          "`kafka.topic` · `http.url` · `sql.function` …",
          "A job for each new event, made in the transaction that stores it"
              + " ([jobs](ingest-app/docs/queue.md)).");

  /** Settings that a route may have of its own, as {@code ingest.routes.NAME.…}. */
  static final List<Setting<?>> PER_ROUTE =
      List.of(
          KEY_FROM,
          KEY_NORMALIZE,
          KEY_TOO_LONG,
          VALUE_FORMAT,
          VALUE_ENVELOPE,
          VALUE_OPERATIONS,
          VALUE_SCHEMA_FILE,
          TARGET_TABLE,
          TARGET_KEY_COLUMNS,
          WriteSettings.DEDUPE_WINDOW,
          WriteSettings.DEDUPE_PREFILTER,
          WriteSettings.TOMBSTONE);

  static final List<Setting<?>> ALL =
      List.of(
          SOURCE_TOPICS,
          SOURCE_GROUP_ID,
          SOURCE_CONSUMERS,
          SOURCE_START,
          KAFKA_BOOTSTRAP_SERVERS,
          KEY_FROM,
          KEY_NORMALIZE,
          KEY_TOO_LONG,
          VALUE_FORMAT,
          VALUE_ENVELOPE,
          VALUE_OPERATIONS,
          VALUE_SCHEMA_FILE,
          REGISTRY_URL,
          REGISTRY_USER,
          REGISTRY_PASSWORD,
          REGISTRY_PASSWORD_FILE,
          REGISTRY_TIMEOUT,
          TARGET_TABLE,
          TARGET_KEY_COLUMNS,
          WriteSettings.DEDUPE_WINDOW,
          WriteSettings.DEDUPE_PREFILTER,
          WriteSettings.TOMBSTONE,
          BATCH_MAX_EVENTS,
          BATCH_MAX_BYTES,
          BATCH_LINGER,
          BUFFER_MAX_BYTES,
          LOCK_MODE,
          LOCK_STRIPES,
          LOCK_BUDGET,
          LOCK_TIMEOUT,
          LOCK_NAMESPACE,
          POSTGRES_URL,
          POSTGRES_USER,
          POSTGRES_PASSWORD,
          POSTGRES_PASSWORD_FILE,
          POSTGRES_APPLICATION_NAME,
          POSTGRES_CONNECT_TIMEOUT,
          POSTGRES_STATEMENT_TIMEOUT,
          POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT,
          POSTGRES_SOCKET_TIMEOUT,
          ERRORS_BAD_EVENT,
          ERRORS_DEAD_LETTER_TOPIC,
          ERRORS_MAX_SHARE,
          WriteSettings.ERRORS_MISSING_PARTITION,
          PARKED_RETRY,
          PARKED_MAX_ATTEMPTS,
          WORKERS,
          HTTP_ENABLED,
          HTTP_HOST,
          HTTP_PORT,
          PROGRESS_TIMEOUT,
          CLOSE_TIMEOUT);

  /** Names below these are not ours: those of another program, or of a table's columns. */
  static final List<FreePrefix> FREE = List.of(KAFKA, TARGET_COLUMNS, ROUTES, JOBS);

  private Settings() {}

  static boolean isListed(String key) {
    return ALL.stream().anyMatch(setting -> setting.key().equals(key));
  }
}
