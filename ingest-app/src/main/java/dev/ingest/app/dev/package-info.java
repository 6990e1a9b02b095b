/**
 * PostgreSQL and Kafka inside the program, for trying it out. Only the commands {@code demo} and
 * {@code bench} may import it.
 */
@NullMarked
package dev.ingest.app.dev;

import org.jspecify.annotations.NullMarked;
