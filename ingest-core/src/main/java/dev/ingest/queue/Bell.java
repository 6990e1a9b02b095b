package dev.ingest.queue;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes idle workers. A ring while nobody waits is not lost: the next wait returns at once. */
final class Bell {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition rung = lock.newCondition();
  private long rings;

  /** How often it rang so far: read before looking for work, waited for after finding none. */
  long rings() {
    lock.lock();
    try {
      return rings;
    } finally {
      lock.unlock();
    }
  }

  void ring() {
    lock.lock();
    try {
      rings++;
      rung.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns when it rang more often than {@code heard}, or after {@code longest}. */
  void await(long heard, Duration longest) throws InterruptedException {
    long left = longest.toNanos();
    lock.lockInterruptibly();
    try {
      while (rings == heard && left > 0) {
        left = rung.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
