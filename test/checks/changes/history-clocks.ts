// The clocks of random histories. Each reading differs from the exact time, as the clocks of several processes do.

import { setTimeout as pause } from "node:timers/promises";
import { Random } from "../../support/histories.ts";
import { present } from "../../support/world.ts";

/** By how much clocks of processes differ. */
export const clockMs = 2;

export interface HistoryClock {
  /** Milliseconds since 1970. */
  readonly exact: number;
  /** As a process reads it. */
  readonly now: number;
  /** Whether time passes only with {@link advance}. */
  readonly isSimulated: boolean;
  advance(ms: number): Promise<void>;
}

const random = new Random(0);

export class SimulatedClock implements HistoryClock {
  exact = present;
  readonly isSimulated = true;

  get now(): number {
    return this.exact + random.between(-clockMs, clockMs);
  }

  async advance(ms: number): Promise<void> {
    this.exact += ms;
  }
}

export class RealClock implements HistoryClock {
  readonly isSimulated = false;

  get exact(): number {
    return Date.now();
  }

  get now(): number {
    return Date.now() + random.between(-clockMs, clockMs);
  }

  advance(ms: number): Promise<void> {
    return pause(ms);
  }
}
