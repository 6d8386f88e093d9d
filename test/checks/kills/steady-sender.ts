// An organization whose clients send events while the service fails. They never send an acknowledged event again, and
// retry all others until they are acknowledged.

import { setTimeout as pause } from "node:timers/promises";
import { checkRecords } from "../../support/check-records.ts";
import { generateEvents } from "../../support/generated-events.ts";
import type { SentEvent } from "../../support/oracle.ts";
import { type IngestReply, type Keys, registerCampaigns } from "../../support/service-process.ts";

/** Sends a body with a key. Returns undefined if the client must retry. */
export type Send = (key: string, body: string) => Promise<string | undefined>;

export const campaigns = 6;
/** More than are ever sent. */
const maxEvents = 20_000_000;
const batch = 30;
/** Smaller than a batch: some events are in two batches, which are sent at the same time. */
const step = 25;
const retryDelayMs = 20;

export class SteadySender {
  readonly keys: Keys;
  accepted = 0;
  repeated = 0;
  /** When the newest acknowledged request was sent. */
  lastAcknowledgedSentAt = Number.NEGATIVE_INFINITY;
  readonly acknowledged = new Set<SentEvent>();
  readonly #generator: Iterator<SentEvent>;
  readonly #generated: SentEvent[] = [];
  #next = 0;

  constructor(keys: Keys) {
    this.keys = keys;
    this.#generator = generateEvents(maxEvents, campaigns, `o${keys.organizationId}`);
  }

  registerCampaigns(url: string): Promise<void> {
    return registerCampaigns(url, this.keys.ingest, campaigns);
  }

  /** Sends a batch until each of its events is acknowledged, or `isGivenUp`. */
  async sendBatch(send: Send, isGivenUp: () => boolean): Promise<void> {
    const events = this.#nextBatch();
    while (!isGivenUp()) {
      const left = events.filter((event) => !this.acknowledged.has(event));
      if (left.length === 0) return;
      const sent = performance.now();
      const text = await send(this.keys.ingest, JSON.stringify({ events: left }));
      if (text === undefined) await pause(retryDelayMs);
      else {
        const { accepted, repeated } = JSON.parse(text) as IngestReply;
        this.accepted += accepted;
        this.repeated += repeated;
        for (const event of left) this.acknowledged.add(event);
        this.lastAcknowledgedSentAt = Math.max(this.lastAcknowledgedSentAt, sent);
      }
    }
  }

  /** @throws AssertionError if an acknowledged event is missing or an event was counted twice */
  async check(url: string): Promise<void> {
    if (this.acknowledged.size < this.#generated.length)
      throw new Error("some events were never acknowledged");
    await checkRecords(url, this.keys.read, { campaigns, events: this.#generated });
  }

  #nextBatch(): SentEvent[] {
    const start = this.#next;
    this.#next += step;
    while (this.#generated.length < start + batch) {
      const { value, done } = this.#generator.next();
      if (done) throw new Error("no generated events are left");
      this.#generated.push(value);
    }
    return this.#generated.slice(start, start + batch);
  }
}
