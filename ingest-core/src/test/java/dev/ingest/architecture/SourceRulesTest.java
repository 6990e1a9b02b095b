package dev.ingest.architecture;

/** The rules for source files hold in ingest-core. */
final class SourceRulesTest extends SourceRules {}
