// Sends the events of tracked messages to the writer thread, in batches per organization.

import type { Logger } from "pino";
import type { IncomingEvent } from "../../counting/events/incoming-event.ts";
import type { ProblemReason } from "../../counting/events/problems.ts";
import type { WriterThread } from "../../counting/writer/writer-thread.ts";
import { AppError } from "../../errors.ts";
import { type LossLog, startLossLog } from "./loss-log.ts";

export class Recorder {
  readonly #writer: WriterThread;
  readonly #losses: LossLog;
  readonly #now: () => number;
  /** The queue of each organization, by its id. */
  readonly #queues = new Map<number, PendingEvent[]>();
  readonly #running = new Set<Promise<void>>();

  /** @param now milliseconds since 1970 */
  constructor(writer: WriterThread, log: Logger, now: () => number) {
    this.#writer = writer;
    this.#losses = startLossLog(log);
    this.#now = now;
  }

  /** Resolves when the event is on disk, ignored or lost; never rejects. */
  record(organizationId: number, event: IncomingEvent): Promise<RecordStatus> {
    const json = JSON.stringify(event);
    try {
      const release = this.#writer.reserve(organizationId, json.length);
      return new Promise((settle) => this.#enqueue(organizationId, { json, release, settle }));
    } catch (error) {
      this.countLost((error as Error).message);
      return Promise.resolve("lost");
    }
  }

  /** Counts an event that is lost before it could be recorded. */
  countLost(reason: string): void {
    this.#losses.add(1, reason);
  }

  /** Waits until all events are written, and logs those that were lost. */
  async stop(): Promise<void> {
    await Promise.all(this.#running);
    this.#losses.flush();
  }

  #enqueue(organizationId: number, event: PendingEvent): void {
    const queue = this.#queues.get(organizationId);
    if (queue) {
      queue.push(event);
      return;
    }
    const started = [event];
    this.#queues.set(organizationId, started);
    const drained = this.#drain(organizationId, started).finally(() => this.#running.delete(drained));
    this.#running.add(drained);
  }

  async #drain(organizationId: number, queue: PendingEvent[]): Promise<void> {
    // Events that arrive in this turn of the event loop, or during a write, share the next write.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const batch = queue.splice(0, maxBatchEvents);
      await writeBatch(this.#writer, this.#losses, organizationId, this.#now(), batch);
    }
    this.#queues.delete(organizationId);
  }
}

/** Events are ignored if the campaign is closed or deleted, or the recipient was forgotten. */
export type RecordStatus = "written" | "ignored" | "lost";

/** The most events of one write. */
const maxBatchEvents = 500;

interface PendingEvent {
  json: string;
  /** Releases the room reserved in the writer's queue. */
  release(): void;
  settle(status: RecordStatus): void;
}

async function writeBatch(
  writer: WriterThread,
  losses: LossLog,
  organizationId: number,
  now: number,
  batch: readonly PendingEvent[],
): Promise<void> {
  // The writer reserves the room of its jobs itself.
  for (const { release } of batch) release();
  try {
    const { refused, problems } = await writer.write({
      organizationId,
      now,
      body: Buffer.from(`[${batch.map(({ json }) => json).join(",")}]`),
      isGzipped: false,
      task: { name: "ingest_tracked" },
    });
    if (refused > 0) losses.add(refused, "they had to be quarantined, but the quota for that is full");
    const ignored = new Set(problems.filter(({ reason }) => isIgnored(reason)).map(({ index }) => index));
    for (const [index, { settle }] of batch.entries()) {
      settle(refused > 0 ? "lost" : ignored.has(index) ? "ignored" : "written");
    }
  } catch (error) {
    losses.add(batch.length, error instanceof AppError ? error.message : String(error));
    for (const { settle } of batch) settle("lost");
  }
}

function isIgnored(reason: ProblemReason): boolean {
  return ["closed", "forgotten", "no_campaign", "too_many"].includes(reason);
}
