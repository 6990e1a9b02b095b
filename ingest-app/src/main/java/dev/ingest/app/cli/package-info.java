/** The commands; the outermost layer. */
@NullMarked
package dev.ingest.app.cli;

import org.jspecify.annotations.NullMarked;
