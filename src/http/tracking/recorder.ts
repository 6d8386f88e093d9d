// Sends the events of tracked messages to the writer thread, in batches per organization.

import type { Logger } from "pino";
import type { IncomingEvent } from "../../counting/events/incoming-event.ts";
import type { ProblemReason } from "../../counting/events/problems.ts";
import type { WriterThread } from "../../counting/writer/writer-thread.ts";
import { AppError } from "../../errors.ts";
import { type LossLog, startLossLog } from "./loss-log.ts";

export interface Recorder {
  /** Resolves when the event is on disk, ignored or lost; never rejects. */
  record(organizationId: number, event: IncomingEvent): Promise<RecordStatus>;
  /** Counts an event that is lost before it could be recorded. */
  countLost(reason: string): void;
  /** Waits until all events are written, and logs those that were lost. */
  stop(): Promise<void>;
}

/** Events are ignored if the campaign is closed or deleted, or the recipient was forgotten. */
export type RecordStatus = "written" | "ignored" | "lost";

/** In one write. */
const maxBatchEvents = 500;

interface PendingEvent {
  json: string;
  /** Releases the room reserved in the writer's queue. */
  release(): void;
  settle(status: RecordStatus): void;
}

export function startRecorder(writing: WriterThread, log: Logger, now: () => number): Recorder {
  const queues = new Map<number, PendingEvent[]>();
  const running = new Set<Promise<void>>();
  const losses = startLossLog(log);

  const drain = async (organizationId: number, queue: PendingEvent[]) => {
    // Events that arrive in this turn of the event loop, or during a write, share the next write.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      await writeBatch(writing, losses, organizationId, now(), queue.splice(0, maxBatchEvents));
    }
    queues.delete(organizationId);
  };

  const enqueue = (organizationId: number, event: PendingEvent) => {
    const queue = queues.get(organizationId);
    if (queue) {
      queue.push(event);
      return;
    }
    const started = [event];
    queues.set(organizationId, started);
    const drained = drain(organizationId, started).finally(() => running.delete(drained));
    running.add(drained);
  };

  return {
    record(organizationId, event) {
      const json = JSON.stringify(event);
      try {
        const release = writing.reserve(organizationId, json.length);
        return new Promise((settle) => enqueue(organizationId, { json, release, settle }));
      } catch (error) {
        losses.add(1, (error as Error).message);
        return Promise.resolve("lost");
      }
    },
    countLost: (reason) => losses.add(1, reason),
    async stop() {
      await Promise.all(running);
      losses.flush();
    },
  };
}

async function writeBatch(
  writing: WriterThread,
  losses: LossLog,
  organizationId: number,
  now: number,
  batch: readonly PendingEvent[],
): Promise<void> {
  // The writer reserves the room of its jobs itself.
  for (const { release } of batch) release();
  try {
    const { refused, problems } = await writing.write({
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
  return reason === "closed" || reason === "forgotten" || reason === "no_campaign";
}
