// Several organizations that send events and read records continuously, and statistics about the responses.

import { setTimeout as pause } from "node:timers/promises";
import { CopyingClient } from "../../support/copying-client.ts";
import { generateCampaign } from "../../support/generated-events.ts";
import { isFullSize } from "../../support/random-cases.ts";
import { RequestTimeout, request } from "../../support/request.ts";
import { makeOrganization } from "../../support/service-process.ts";
import { campaigns, SteadySender } from "./steady-sender.ts";

/** Statistics about responses. Only 200 and 503 are allowed. */
export interface LoadStats {
  ok: number;
  /** 503 responses by path and message. */
  unavailable: Record<string, number>;
  disconnected: number;
  longestMs: number;
}

const organizations = 3;
const connectionsPerOrganization = 3;
const pageIntervalMs = 25;
const shortPauseMs = 30;
const pagesPerChange = 4;
/** A working service acknowledges something long before, on any computer. */
const maxSilenceMs = 120_000;

/** A page of changes was not read, because the service was not there or too busy. */
class NotRead extends Error {}

export class SteadyLoad {
  readonly senders: SteadySender[] = [];
  #url = () => "";
  #pauseMs = 0;
  readonly #failures: unknown[] = [];
  /** They keep copies by reading changes. */
  readonly #clients = new Map<SteadySender, CopyingClient>();
  #stats = emptyStats();
  #isOver = false;
  #running: Promise<unknown> = Promise.resolve();

  static async prepare(databaseUrl: string): Promise<SteadyLoad> {
    const load = new SteadyLoad();
    for (let number = 1; number <= organizations; number++) {
      const sender = new SteadySender(await makeOrganization(databaseUrl));
      load.senders.push(sender);
      load.#clients.set(sender, load.#newClient(sender, 2));
    }
    return load;
  }

  async registerCampaigns(url: string): Promise<void> {
    for (const sender of this.senders) await sender.registerCampaigns(url);
  }

  /**
   * Sends and reads until {@link end}.
   *
   * @param url of the service, which may be another one after a restart
   * @param pauseMs of each connection between requests; in full there is none
   */
  begin(url: () => string, pauseMs = isFullSize ? 0 : shortPauseMs): void {
    this.#isOver = false;
    this.#pauseMs = pauseMs;
    this.#url = url;
    const running = this.senders.flatMap((sender) => [
      ...Array.from({ length: connectionsPerOrganization }, () => this.#send(sender)),
      this.#readPages(sender),
    ]);
    this.#running = Promise.all(running.map((each) => each.catch((error) => this.giveUp(error))));
  }

  /** Waits until everything that was sent is acknowledged. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
    this.#throwFailure();
  }

  /** Stops sending, even if events are not acknowledged. */
  giveUp(because: unknown): void {
    this.#failures.push(because);
  }

  /**
   * Waits until every organization has an acknowledged request that was sent after this call.
   *
   * @returns how long that took, in milliseconds
   */
  async untilAcknowledged(): Promise<number> {
    const since = performance.now();
    while (this.senders.some(({ lastAcknowledgedSentAt }) => lastAcknowledgedSentAt < since)) {
      this.#throwFailure();
      if (performance.now() - since > maxSilenceMs)
        throw new Error("the service acknowledges nothing any more");
      await pause(1);
    }
    return performance.now() - since;
  }

  /** The statistics since the last call. */
  takeStats(): LoadStats {
    const stats = this.#stats;
    this.#stats = emptyStats();
    return { ...stats, longestMs: Math.round(stats.longestMs) };
  }

  /** Counts over all events. `accepted` can be lower, because a response can be lost. */
  get sums(): Record<"acknowledged" | "accepted" | "repeated", number> {
    const sum = (of: (sender: SteadySender) => number) =>
      this.senders.reduce((before, sender) => before + of(sender), 0);
    return {
      acknowledged: sum(({ acknowledged }) => acknowledged.size),
      accepted: sum(({ accepted }) => accepted),
      repeated: sum(({ repeated }) => repeated),
    };
  }

  /** @throws AssertionError if an acknowledged event is missing or was counted twice, or a copy misses a change */
  async check(): Promise<void> {
    for (const [sender, client] of this.#clients) {
      await sender.check(this.#url());
      await client.checkWith(this.#newClient(sender, 100));
    }
  }

  #newClient({ keys }: SteadySender, perPage: number): CopyingClient {
    const read = async (query: string) => {
      const text = await this.#request(`/data_api/v1/emails/changes${query}`, keys.read);
      return text === undefined ? Promise.reject(new NotRead()) : JSON.parse(text);
    };
    return new CopyingClient(read, { perPage, maxCampaigns: campaigns });
  }

  async #send(sender: SteadySender): Promise<void> {
    const send = (key: string, body: string) => this.#request("/ingest/v1/events", key, body);
    const isGivenUp = () => this.#failures.length > 0;
    while (!this.#isOver && !isGivenUp()) {
      await sender.sendBatch(send, isGivenUp);
      if (this.#pauseMs > 0) await pause(this.#pauseMs);
    }
  }

  /** Changes the tags of a campaign now and then: the service reads the next page in a transaction. */
  async #readPages(sender: SteadySender): Promise<void> {
    const { read, ingest } = sender.keys;
    for (let page = 0; !this.#isOver && this.#failures.length === 0; page++) {
      if (page % pagesPerChange === 0) {
        const tags = page % (2 * pagesPerChange) === 0 ? ["Changed"] : [];
        const campaign = JSON.stringify({ ...generateCampaign(1), tags });
        await this.#request("/ingest/v1/campaigns/1", ingest, campaign, "PUT");
      }
      await this.#request("/data_api/v1/emails", read);
      await this.#clients
        .get(sender)
        ?.readPage()
        .catch((error) => error instanceof NotRead || Promise.reject(error));
      await pause(pageIntervalMs);
    }
  }

  /** @returns the body of a 200 response, or undefined if the client must retry */
  async #request(
    path: string,
    key: string,
    body?: string,
    method: "POST" | "PUT" = "POST",
  ): Promise<string | undefined> {
    const sent = performance.now();
    try {
      const { status, text } = await request(this.#url() + path, key, body, method);
      if (status === 200) this.#stats.ok += 1;
      else if (status === 503) this.#countUnavailable(path, text);
      else this.giveUp(new Error(`${path}: ${status} ${text}`));
      return status === 200 ? text : undefined;
    } catch (error) {
      if (error instanceof RequestTimeout) throw error;
      this.#stats.disconnected += 1;
      return undefined;
    } finally {
      this.#stats.longestMs = Math.max(this.#stats.longestMs, performance.now() - sent);
    }
  }

  #countUnavailable(what: string, text: string): void {
    const { unavailable } = this.#stats;
    const { error_message } = JSON.parse(text) as { error_message: string };
    unavailable[`${what}: ${error_message}`] = (unavailable[`${what}: ${error_message}`] ?? 0) + 1;
  }

  #throwFailure(): void {
    if (this.#failures.length > 0) throw this.#failures[0];
  }
}

function emptyStats(): LoadStats {
  return { ok: 0, unavailable: {}, disconnected: 0, longestMs: 0 };
}
