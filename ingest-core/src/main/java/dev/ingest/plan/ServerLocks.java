package dev.ingest.plan;

public record ServerLocks(
    int maxLocksPerTransaction, int maxConnections, int maxPreparedTransactions) {}
