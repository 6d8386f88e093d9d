// One organization whose clients send events for as long as they are told to, whatever becomes of the service: what was
// acknowledged is never sent again, and what was not is sent until it is.

import { setTimeout as pause } from "node:timers/promises";
import type { SentEvent } from "../test/support/oracle.ts";
import { checkRecords } from "./check-records.ts";
import { madeUpEvents } from "./made-up-events.ts";
import { type Answered, type Keys, registerCampaigns } from "./service.ts";

/** Sends a body with a key; undefined where it is to be sent again. */
export type Send = (key: string, body: string) => Promise<string | undefined>;

const campaigns = 6;
/** More than are ever sent. */
const eventsMax = 20_000_000;
const batch = 30;
/** Some events are in two batches, which are on their way at the same time. */
const step = 25;
const pauseAfterRefusalMs = 20;

export class SteadySender {
  readonly keys: Keys;
  accepted = 0;
  repeated = 0;
  /** When the latest of the acknowledged requests was sent. */
  acknowledgedOf = Number.NEGATIVE_INFINITY;
  readonly acknowledged = new Set<SentEvent>();
  readonly #source: Iterator<SentEvent>;
  readonly #made: SentEvent[] = [];
  #next = 0;

  constructor(keys: Keys) {
    this.keys = keys;
    this.#source = madeUpEvents(eventsMax, campaigns, `o${keys.organizationId}`);
  }

  registerCampaigns(url: string): Promise<void> {
    return registerCampaigns(url, this.keys.ingest, campaigns);
  }

  /** Sends one batch, again and again until each of its events is acknowledged, or `isGivenUp`. */
  async sendBatch(send: Send, isGivenUp: () => boolean): Promise<void> {
    const some = this.#makeBatch();
    while (!isGivenUp()) {
      const left = some.filter((event) => !this.acknowledged.has(event));
      if (left.length === 0) return;
      const sent = performance.now();
      const text = await send(this.keys.ingest, JSON.stringify({ events: left }));
      if (text === undefined) await pause(pauseAfterRefusalMs);
      else {
        const { accepted, repeated } = JSON.parse(text) as Answered;
        this.accepted += accepted;
        this.repeated += repeated;
        for (const event of left) this.acknowledged.add(event);
        this.acknowledgedOf = Math.max(this.acknowledgedOf, sent);
      }
    }
  }

  /** @throws AssertionError when an acknowledged event is missing, or any was counted twice */
  async check(url: string): Promise<void> {
    if (this.acknowledged.size < this.#made.length) throw new Error("some events were never acknowledged");
    await checkRecords(url, this.keys.read, { campaigns, events: this.#made });
  }

  #makeBatch(): SentEvent[] {
    const start = this.#next;
    this.#next += step;
    while (this.#made.length < start + batch) {
      const { value, done } = this.#source.next();
      if (done) throw new Error("no made-up events are left");
      this.#made.push(value);
    }
    return this.#made.slice(start, start + batch);
  }
}
