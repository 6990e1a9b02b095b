/** What the build checks about the program's code. For tests only. */
@NullMarked
package dev.ingest.app.architecture;

import org.jspecify.annotations.NullMarked;
