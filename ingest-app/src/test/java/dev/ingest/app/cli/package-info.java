/** Tests of the commands as a user calls them. */
@NullMarked
package dev.ingest.app.cli;

import org.jspecify.annotations.NullMarked;
