// The clock of upkeep, which deletes data: it does not trust a wall clock that jumps ahead by more than a day.

import { lockTrustedTime, maxClockJumpMs, saveTrustedTime } from "../../storage/clock.ts";
import type { Database } from "../../storage/database.ts";

/** The clocks of a process. */
export interface Clocks {
  /** The wall clock, in milliseconds since 1970. */
  now(): number;
  /** The monotonic clock: milliseconds since any moment. No one can set it. */
  monotonic(): number;
}

export class TrustedClock {
  readonly #clocks: Clocks;
  /** What this process stored last, and when by the monotonic clock. */
  #last: { trustedAt: number; monotonicAt: number } | undefined;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
  }

  /**
   * Advances the trusted time of the database: to the wall clock or, if that jumped ahead, only by the time that has passed
   * on the monotonic clock. The first call on a database trusts the wall clock.
   */
  async advance(database: Database): Promise<{ now: number; trustedAt: number }> {
    const now = this.#clocks.now();
    const monotonicAt = this.#clocks.monotonic();
    const trustedAt = await database.transaction(async (queries) => {
      const stored = (await lockTrustedTime(queries)) ?? now;
      const hasJumped = now - stored > maxClockJumpMs;
      const advanced = hasJumped
        ? Math.min(now, stored + this.#elapsedSince(stored, monotonicAt))
        : Math.max(now, stored);
      await saveTrustedTime(queries, advanced);
      return advanced;
    });
    this.#last = { trustedAt, monotonicAt };
    return { now, trustedAt };
  }

  /** None if another process or an admin has changed the trusted time since: that includes the time that has passed. */
  #elapsedSince(stored: number, monotonicAt: number): number {
    return this.#last?.trustedAt === stored ? Math.round(monotonicAt - this.#last.monotonicAt) : 0;
  }
}
