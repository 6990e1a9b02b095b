/** Holds a topic against its target: every offset accounted for. Reads only. */
@NullMarked
package dev.ingest.app.verify;

import org.jspecify.annotations.NullMarked;
