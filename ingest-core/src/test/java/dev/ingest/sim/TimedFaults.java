package dev.ingest.sim;

import dev.ingest.pipeline.FaultInjection;
import org.jspecify.annotations.Nullable;

/** Lets others move while a statement runs, then asks chance, or the outage, for the fault. */
final class TimedFaults implements FaultInjection {
  private final World world;
  private final SimConsumer consumer;
  private final FaultInjection chance;

  TimedFaults(World world, SimConsumer consumer) {
    this.world = world;
    this.consumer = consumer;
    this.chance = new RandomFaults(world.random(), world.scenario().rates().fault());
  }

  @Override
  public @Nullable Injected at(Point point) {
    world.turns().require(consumer, SimConsumer.Turn.WRITE);
    consumer.interlude();
    if (!world.isFaulty()) {
      return null;
    }
    String outage = world.outageAt(point);
    return outage == null ? chance.at(point) : new SqlState(outage);
  }
}
