// Limits how many requests pulls send within an hour. The times of the requests are in a file, so that the limit holds
// across runs.

import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { hourMs } from "../../campaign/calendar/durations.ts";

export class RequestBudget {
  readonly perHour: number;
  readonly #path: string;
  /** When the requests of the last hour were sent, oldest first. Milliseconds since 1970. */
  readonly #times: number[];

  constructor(path: string, perHour: number, now: number) {
    this.perHour = perHour;
    this.#path = path;
    const lines = existsSync(path) ? (readFileSync(path, "utf8").match(/^\d+$/gm) ?? []) : [];
    // A time in the future comes from a clock that was wrong.
    this.#times = lines.map(Number).filter((at) => at > now - hourMs && at <= now);
    writeFileSync(path, this.#times.map((at) => `${at}\n`).join(""), { mode: 0o600 });
  }

  /** Milliseconds until the next request may be sent. */
  waitMs(now: number): number {
    const oldest = this.#times.at(-this.perHour);
    if (oldest === undefined) return 0;
    return Math.min(Math.max(oldest + hourMs - now, 0), hourMs);
  }

  /** Records that a request is sent now. */
  spend(now: number): void {
    appendFileSync(this.#path, `${now}\n`);
    this.#times.push(now);
  }

  /** Milliseconds that further requests will take. @param requestMs how long one request takes */
  timeFor(requests: number, requestMs: number, now: number): number {
    const times = this.#times.slice(-this.perHour);
    let at = now;
    for (let sent = 0; sent < requests; sent++) {
      const oldest = times.length >= this.perHour ? (times.shift() as number) : undefined;
      at = Math.max(at, (oldest ?? 0) + (oldest === undefined ? 0 : hourMs));
      times.push(at);
      at += requestMs;
    }
    return at - now;
  }
}
