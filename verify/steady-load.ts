// Several organizations that send events and read their records all the time, and how they were answered.

import { setTimeout as pause } from "node:timers/promises";
import { ask, Unanswered } from "./ask.ts";
import { makeOrganization } from "./service.ts";
import { SteadySender } from "./steady-sender.ts";

/** How requests were answered. Only 200 and 503 are in order. */
export interface Figures {
  answered: number;
  /** By what was sent or asked for, and what the answer said. */
  unavailable: Record<string, number>;
  /** They lost their connection. */
  cut: number;
  /** The longest that any of them waited. */
  longestMs: number;
}

const organizations = 3;
const connectionsOfEach = 3;
const pauseBetweenPagesMs = 25;
/** A service that goes on at all acknowledges something long before, on any machine. */
const acknowledgedMsMax = 120_000;

export class SteadyLoad {
  readonly #senders: SteadySender[] = [];
  readonly #failures: unknown[] = [];
  #figures = noFigures();
  #isOver = false;
  #running: Promise<unknown> = Promise.resolve();

  static async prepare(databaseUrl: string): Promise<SteadyLoad> {
    const load = new SteadyLoad();
    for (let number = 1; number <= organizations; number++) {
      load.#senders.push(new SteadySender(await makeOrganization(databaseUrl)));
    }
    return load;
  }

  async registerCampaigns(url: string): Promise<void> {
    for (const sender of this.#senders) await sender.registerCampaigns(url);
  }

  /** Sends and reads until {@link end}. */
  begin(url: string): void {
    this.#isOver = false;
    const running = this.#senders.flatMap((sender) => [
      ...Array.from({ length: connectionsOfEach }, () => this.#send(url, sender)),
      this.#readPages(url, sender.keys.read),
    ]);
    this.#running = Promise.all(running.map((each) => each.catch((error) => this.giveUp(error))));
  }

  /** Returns when all that was sent is acknowledged. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
    this.#throwFailure();
  }

  /** Sends nothing more, whatever is not acknowledged. */
  giveUp(because: unknown): void {
    this.#failures.push(because);
  }

  /**
   * Waits until every organization has had a request acknowledged that was sent from now on.
   *
   * @returns how long that took, in milliseconds
   */
  async untilAcknowledged(): Promise<number> {
    const since = performance.now();
    while (this.#senders.some(({ acknowledgedOf }) => acknowledgedOf < since)) {
      this.#throwFailure();
      if (performance.now() - since > acknowledgedMsMax) throw new Error("nothing is acknowledged any more");
      await pause(1);
    }
    return performance.now() - since;
  }

  /** Those since the last time they were taken. */
  takeFigures(): Figures {
    const figures = this.#figures;
    this.#figures = noFigures();
    return { ...figures, longestMs: Math.round(figures.longestMs) };
  }

  /** Of all events; `accepted` may be fewer, where the answer that said so was lost. */
  get sums(): Record<"acknowledged" | "accepted" | "repeated", number> {
    const sum = (of: (sender: SteadySender) => number) =>
      this.#senders.reduce((before, sender) => before + of(sender), 0);
    return {
      acknowledged: sum(({ acknowledged }) => acknowledged.size),
      accepted: sum(({ accepted }) => accepted),
      repeated: sum(({ repeated }) => repeated),
    };
  }

  /** @throws AssertionError when an acknowledged event is missing, or any was counted twice */
  async check(url: string): Promise<void> {
    for (const sender of this.#senders) await sender.check(url);
  }

  async #send(url: string, sender: SteadySender): Promise<void> {
    const send = (key: string, body: string) => this.#ask(`${url}/ingest/v1/events`, key, body);
    const isGivenUp = () => this.#failures.length > 0;
    while (!this.#isOver && !isGivenUp()) await sender.sendBatch(send, isGivenUp);
  }

  async #readPages(url: string, key: string): Promise<void> {
    while (!this.#isOver && this.#failures.length === 0) {
      await this.#ask(`${url}/data_api/v1/emails`, key);
      await pause(pauseBetweenPagesMs);
    }
  }

  /** @returns the body of an answer 200, or undefined where it is to be tried again */
  async #ask(url: string, key: string, body?: string): Promise<string | undefined> {
    const sent = performance.now();
    try {
      const { status, text } = await ask(url, key, body);
      if (status === 200) this.#figures.answered += 1;
      else if (status === 503) this.#noteUnavailable(body === undefined ? "page" : "events", text);
      else this.giveUp(new Error(`${url}: ${status} ${text}`));
      return status === 200 ? text : undefined;
    } catch (error) {
      if (error instanceof Unanswered) throw error;
      this.#figures.cut += 1;
      return undefined;
    } finally {
      this.#figures.longestMs = Math.max(this.#figures.longestMs, performance.now() - sent);
    }
  }

  #noteUnavailable(what: string, text: string): void {
    const { unavailable } = this.#figures;
    const { error_message } = JSON.parse(text) as { error_message: string };
    unavailable[`${what}: ${error_message}`] = (unavailable[`${what}: ${error_message}`] ?? 0) + 1;
  }

  #throwFailure(): void {
    if (this.#failures.length > 0) throw this.#failures[0];
  }
}

function noFigures(): Figures {
  return { answered: 0, unavailable: {}, cut: 0, longestMs: 0 };
}
