/** What the build checks about the code itself. For tests only; ingest-app's tests extend it. */
@NullMarked
package dev.ingest.architecture;

import org.jspecify.annotations.NullMarked;
