package dev.ingest.app.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.Map;
import java.util.logging.LogManager;
import org.slf4j.LoggerFactory;

/**
 * What is logged, and how: one line an event on standard error, since standard output belongs to
 * the commands. Logback finds this class by itself; no XML is read, which would cost start time.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class LogConfigurator extends ContextAwareBase implements Configurator {
  private static final Map<String, Level> LEVELS =
      Map.of(
          "dev.ingest", Level.INFO,
          // The clients tell of every lost connection and unknown setting; we tell what follows.
          "org.apache.kafka", Level.ERROR,
          // All it tells of are polls that end at our bound on their bytes (PollBytes).
          "org.apache.kafka.clients.consumer.internals.CompletedFetch", Level.OFF,
          "com.zaxxer.hikari", Level.ERROR,
          // What Flyway logs, we throw.
          "org.flywaydb", Level.OFF);

  /** Called by Logback when the first logger is asked for. */
  @Override
  public ExecutionStatus configure(LoggerContext context) {
    configure(context, LogFormat.TEXT, false);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /**
   * @param verbose our events from DEBUG on, with stack traces
   */
  static void configure(LogFormat format, boolean verbose) {
    LogManager.getLogManager().reset(); // the JDBC driver's logger; what matters is thrown
    configure((LoggerContext) LoggerFactory.getILoggerFactory(), format, verbose);
  }

  private static void configure(LoggerContext context, LogFormat format, boolean verbose) {
    context.reset();
    LogEncoder encoder = new LogEncoder(format, verbose);
    encoder.setContext(context);
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(appender);
    LEVELS.forEach((name, level) -> context.getLogger(name).setLevel(level));
    if (verbose) {
      context.getLogger("dev.ingest").setLevel(Level.DEBUG);
    }
  }
}
