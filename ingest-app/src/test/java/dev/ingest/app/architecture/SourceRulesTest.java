package dev.ingest.app.architecture;

import dev.ingest.architecture.SourceRules;

/** The rules for source files hold in ingest-app. */
final class SourceRulesTest extends SourceRules {}
