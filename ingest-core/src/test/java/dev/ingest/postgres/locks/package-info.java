/** Tests of what is said of locks. */
@NullMarked
package dev.ingest.postgres.locks;

import org.jspecify.annotations.NullMarked;
