package dev.ingest.app.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version as the archive's manifest has it. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"ingest " + Objects.requireNonNullElse(version, "(unpackaged)")};
  }
}
