// Sends events to a service at a steady rate.

import { setTimeout as pause } from "node:timers/promises";
import { generateEvents } from "../../support/generated-events.ts";
import type { SentEvent } from "../../support/oracle.ts";
import { sendAll } from "../../support/service-process.ts";

export const campaigns = 6;
/** More than are ever sent. */
const maxEvents = 20_000_000;
const requestsPerSecond = 10;
const connections = 4;
const eventsPerRequest = 1_000;

export class SteadyEvents {
  /** In the order of their acknowledgment. */
  readonly acknowledged: SentEvent[] = [];
  readonly #url: string;
  readonly #key: string;
  readonly #generator = generateEvents(maxEvents, campaigns);
  #isOver = false;
  #longestMs = 0;
  #running: Promise<unknown> = Promise.resolve();

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** Sends so many events as fast as possible. */
  async send(events: number): Promise<void> {
    for (let left = events; left > 0; left -= connections * eventsPerRequest) {
      const sizes = Array.from({ length: connections }, (_, index) =>
        Math.min(eventsPerRequest, left - index * eventsPerRequest),
      );
      await Promise.all(sizes.filter((size) => size > 0).map((size) => this.#sendRequest(size)));
    }
  }

  /** Sends events until {@link end}. */
  begin(eventsPerSecond: number): void {
    this.#running = this.#sendSteadily(eventsPerSecond / requestsPerSecond);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  /** The duration of the longest request since the last call. */
  takeLongestMs(): number {
    const longest = this.#longestMs;
    this.#longestMs = 0;
    return longest;
  }

  async #sendSteadily(events: number): Promise<void> {
    const startedAt = performance.now();
    const sending = new Set<Promise<void>>();
    for (let request = 0; !this.#isOver; request++) {
      await pause(Math.max(0, startedAt + (request * 1_000) / requestsPerSecond - performance.now()));
      if (sending.size >= connections) await Promise.race(sending);
      const sent = this.#sendRequest(events).finally(() => sending.delete(sent));
      sending.add(sent);
    }
    await Promise.all(sending);
  }

  /** Sends it again while the service is too busy. */
  async #sendRequest(size: number): Promise<void> {
    const events = Array.from({ length: size }, () => this.#generator.next().value as SentEvent);
    const startedAt = performance.now();
    await sendAll(this.#url, this.#key, [JSON.stringify({ events })], 1);
    this.#longestMs = Math.max(this.#longestMs, performance.now() - startedAt);
    this.acknowledged.push(...events);
  }
}
