// Shows how far a pull is: as a progress bar on a terminal, otherwise as a line before each long wait.

import { secondMs } from "../../campaign/calendar/durations.ts";
import type { Output } from "../output.ts";
import { type ProgressBar, progressBar } from "../progress-bar.ts";
import { describeDuration } from "./describe-duration.ts";
import { isoSeconds } from "./iso-seconds.ts";

/** Shorter waits get no line. */
const longWaitMs = 10 * secondMs;

export class PullProgress {
  readonly #output: Output;
  readonly #bar: ProgressBar;
  readonly #now: () => number;
  #share = 0;
  #text = "first page";

  constructor(output: Output, now: () => number) {
    this.#output = output;
    this.#bar = progressBar(output);
    this.#now = now;
  }

  /** @param leftMs how long the other pages will take */
  showPages(pages: number, totalPages: number, leftMs: number): void {
    this.#share = totalPages === 0 ? 1 : pages / totalPages;
    this.#text = `page ${pages} of ${totalPages}, about ${describeDuration(leftMs)} left`;
    this.#bar.show(this.#share, this.#text);
  }

  showSaving(): void {
    this.#bar.show(1, "saving");
  }

  /** @param until milliseconds since 1970 */
  showWait(why: string, until: number): void {
    const line = `${this.#text}; waiting until ${isoSeconds(until)}: ${why}`;
    this.#bar.show(this.#share, line);
    if (this.#output.stderr.isTTY || until - this.#now() < longWaitMs) return;
    this.#output.stderr.write(`${line[0]?.toUpperCase()}${line.slice(1)}\n`);
  }

  clear(): void {
    this.#bar.clear();
  }
}
