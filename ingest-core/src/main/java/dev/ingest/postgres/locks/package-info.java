/** Who waits for whom on the server, and what for. Reads catalogs only; only the app imports it. */
@NullMarked
package dev.ingest.postgres.locks;

import org.jspecify.annotations.NullMarked;
