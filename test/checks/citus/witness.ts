// A client that reads the record after each acknowledged request: it must contain exactly what was acknowledged.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { request } from "../../support/request.ts";
import { type Keys, registerCampaigns } from "../../support/service-process.ts";

const eventsPerRequest = 5;
const retryDelayMs = 20;

export class Witness {
  /** Requests that were acknowledged, and then read. */
  requests = 0;
  unavailable = 0;
  /** When the newest acknowledged request was sent. */
  lastAcknowledgedSentAt = Number.NEGATIVE_INFINITY;
  readonly #keys: Keys;
  readonly #url: string;

  constructor(url: string, keys: Keys) {
    this.#url = url;
    this.#keys = keys;
  }

  async register(): Promise<void> {
    await registerCampaigns(this.#url, this.#keys.ingest, 1);
  }

  /**
   * Sends opens of new recipients, each request until it is acknowledged, and reads after each.
   *
   * @throws AssertionError if the record does not contain the acknowledged events exactly once
   */
  async sendUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const sent = performance.now();
      const body = JSON.stringify({ events: this.#nextEvents() });
      await this.#untilOk(`${this.#url}/ingest/v1/events`, this.#keys.ingest, body);
      this.requests += 1;
      await this.check();
      this.lastAcknowledgedSentAt = sent;
    }
  }

  async check(): Promise<void> {
    const text = await this.#untilOk(`${this.#url}/data_api/v1/emails`, this.#keys.read);
    const { emails } = JSON.parse(text) as { emails: { unique_opens: number }[] };
    assert.equal(emails[0]?.unique_opens, this.requests * eventsPerRequest);
  }

  #nextEvents() {
    const first = this.requests * eventsPerRequest;
    return Array.from({ length: eventsPerRequest }, (_, index) => ({
      id: `e-${first + index}`,
      campaign_id: 1,
      recipient: `r-${first + index}@example.com`,
      type: "open",
      at: "2026-01-05T10:00:00Z",
    }));
  }

  async #untilOk(url: string, key: string, body?: string): Promise<string> {
    for (;;) {
      const { status, text } = await request(url, key, body);
      if (status === 200) return text;
      assert.equal(status, 503, text);
      this.unavailable += 1;
      await pause(retryDelayMs);
    }
  }
}
