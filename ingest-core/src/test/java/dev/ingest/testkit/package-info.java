/**
 * Real servers for tests: one PostgreSQL and one Kafka broker per JVM, a database and topics per
 * test class. For test code only.
 */
@NullMarked
package dev.ingest.testkit;

import org.jspecify.annotations.NullMarked;
