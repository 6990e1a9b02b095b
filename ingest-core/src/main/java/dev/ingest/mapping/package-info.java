/**
 * From an event to the values of columns, without SQL: where a value comes from, what text it
 * becomes, and what is refused because the column would alter it. {@code postgres} and the app
 * import it; it imports {@code event} and jackson-core.
 */
@NullMarked
package dev.ingest.mapping;

import org.jspecify.annotations.NullMarked;
