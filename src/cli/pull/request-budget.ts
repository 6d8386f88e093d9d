// Limits how many requests a process sends within an hour.

import { hourMs } from "../../campaign/calendar/durations.ts";

export class RequestBudget {
  readonly perHour: number;
  /** When the last requests were sent, oldest first. Milliseconds since 1970. */
  #times: number[] = [];

  constructor(perHour: number) {
    this.perHour = perHour;
  }

  /** Milliseconds until the next request may be sent. */
  waitMs(now: number): number {
    const oldest = this.#times.at(-this.perHour);
    if (oldest === undefined) return 0;
    return Math.min(Math.max(oldest + hourMs - now, 0), hourMs);
  }

  /** Records that a request is sent now. */
  spend(now: number): void {
    this.#times = [...this.#times, now].slice(-this.perHour);
  }

  /** Milliseconds that further requests will take. @param requestMs how long one request takes */
  timeFor(requests: number, requestMs: number, now: number): number {
    const times = [...this.#times];
    let at = now;
    for (let sent = 0; sent < requests; sent++) {
      const oldest = times.length >= this.perHour ? times.shift() : undefined;
      if (oldest !== undefined) at = Math.max(at, oldest + hourMs);
      times.push(at);
      at += requestMs;
    }
    return at - now;
  }
}
