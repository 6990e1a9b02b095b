package dev.ingest.app.cli;

import dev.ingest.app.parked.ParkedFilter;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which parked events a command means. */
final class ParkedOptions {
  @Option(names = "--topic", paramLabel = "TOPIC", description = "Events of this topic.")
  private @Nullable String topic;

  @Option(names = "--partition", paramLabel = "N", description = "Events of this partition.")
  private @Nullable Integer partition;

  @Option(names = "--offset", paramLabel = "N", description = "The event at this offset.")
  private @Nullable Long offset;

  @Option(names = "--route", paramLabel = "NAME", description = "Events parked on this route.")
  private @Nullable String route;

  @Option(
      names = "--sqlstate",
      paramLabel = "STATE",
      description = "Events last refused with this SQLSTATE.")
  private @Nullable String sqlState;

  @Option(
      names = "--constraint",
      paramLabel = "NAME",
      description = "Events last refused by this constraint.")
  private @Nullable String constraint;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = MomentConverter.class,
      description =
          "Events last parked at or after; such as 2026-11-30T10:00:00Z, or 2h for two hours ago.")
  private @Nullable Instant since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      converter = MomentConverter.class,
      description = "Events last parked before.")
  private @Nullable Instant until;

  ParkedFilter filter(List<String> statuses) {
    return new ParkedFilter(
        topic, partition, offset, route, sqlState, constraint, since, until, null, statuses);
  }

  /** A moment, or how long it is ago. */
  static final class MomentConverter implements ITypeConverter<Instant> {
    private static final Pattern AGO = Pattern.compile("(\\d{1,6})([smhd])");

    @Override
    public Instant convert(String value) {
      Matcher ago = AGO.matcher(value);
      if (ago.matches()) {
        return Instant.now().minus(duration(Long.parseLong(ago.group(1)), ago.group(2)));
      }
      try {
        return Instant.parse(value);
      } catch (DateTimeException unreadable) {
        throw new TypeConversionException(
            "'"
                + value
                + "' is no moment such as 2026-11-30T10:00:00Z and no age such as 90s, 30m, 2h or 7d");
      }
    }

    private static Duration duration(long count, String unit) {
      return switch (unit) {
        case "s" -> Duration.ofSeconds(count);
        case "m" -> Duration.ofMinutes(count);
        case "h" -> Duration.ofHours(count);
        default -> Duration.ofDays(count);
      };
    }
  }
}
