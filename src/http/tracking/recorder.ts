// What the addresses inside messages bring in goes to the writing thread, many events at once. What cannot be written is
// lost, since nobody will send it again: it is counted in the log.

import type { Logger } from "pino";
import type { IncomingEvent } from "../../counting/events/incoming-event.ts";
import type { ProblemReason } from "../../counting/events/problems.ts";
import type { WriterThread } from "../../counting/writer/writer-thread.ts";
import { AppError } from "../../errors.ts";

/** One write takes no more of them. */
const eventsAtOnce = 500;
/** Between two lines of the log about lost events. */
const lossesLoggedEveryMs = 10_000;

export interface Recorder {
  /** Resolves when it is known what became of the event. Never rejects. */
  record(organizationId: number, entry: IncomingEvent): Promise<RecordStatus>;
  /** One more that is lost. */
  countLost(why: string): void;
  /** Waits until nothing is under way any more, and says how many were lost since it was last said. */
  stop(): Promise<void>;
}

/** On disk; of no use, since its campaign is closed or its recipient was forgotten; or lost. */
export type RecordStatus = "written" | "ignored" | "lost";

interface PendingEvent {
  /** The event, as JSON. */
  text: string;
  giveBack(): void;
  settle(outcome: RecordStatus): void;
}

/** Events of one organization go in one write after the other: whatever comes meanwhile goes with the next one. */
export function startRecorder(writing: WriterThread, log: Logger, now: () => number): Recorder {
  const queues = new Map<number, PendingEvent[]>();
  const underWay = new Set<Promise<void>>();
  const losses = logLosses(log);

  const writeSome = async (organizationId: number, some: readonly PendingEvent[]) => {
    for (const { giveBack } of some) giveBack();
    try {
      const { refused, problems: found } = await writing.write({
        organizationId,
        now: now(),
        body: Buffer.from(`[${some.map(({ text }) => text).join(",")}]`),
        isGzipped: false,
        task: { name: "ingest_tracked" },
      });
      if (refused > 0) losses.add(refused, "they had to be set aside, and the quota for that is full");
      const ignored = new Set(found.filter(({ reason }) => isIgnored(reason)).map(({ index }) => index));
      for (const [index, { settle }] of some.entries()) {
        settle(refused > 0 ? "lost" : ignored.has(index) ? "ignored" : "written");
      }
    } catch (error) {
      losses.add(some.length, error instanceof AppError ? error.message : String(error));
      for (const { settle } of some) settle("lost");
    }
  };

  const writeAll = async (organizationId: number, queue: PendingEvent[]) => {
    // All that arrives within this turn of the event loop goes together.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) await writeSome(organizationId, queue.splice(0, eventsAtOnce));
    queues.delete(organizationId);
  };

  return {
    record(organizationId, entry) {
      const text = JSON.stringify(entry);
      let giveBack: () => void;
      try {
        giveBack = writing.reserve(organizationId, text.length);
      } catch (error) {
        losses.add(1, (error as Error).message);
        return Promise.resolve("lost");
      }
      return new Promise((settle) => {
        const waiting = { text, giveBack, settle };
        const queue = queues.get(organizationId);
        if (queue) {
          queue.push(waiting);
          return;
        }
        const first = [waiting];
        queues.set(organizationId, first);
        const written = writeAll(organizationId, first).finally(() => underWay.delete(written));
        underWay.add(written);
      });
    },
    countLost: (why) => losses.add(1, why),
    async stop() {
      await Promise.all(underWay);
      losses.log();
    },
  };
}

function isIgnored(reason: ProblemReason): boolean {
  return reason === "closed" || reason === "forgotten" || reason === "no_campaign";
}

/** A flood of lost events is no reason for a flood of lines; but each of them is in one. */
function logLosses(log: Logger) {
  let lost = 0;
  let why = "";
  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lost > 0) log.error({ lost_events: lost, reason: why }, "events from tracked addresses are lost");
    lost = 0;
  };
  return {
    add(events: number, reason: string) {
      lost += events;
      why = reason;
      timer ??= setTimeout(write, lossesLoggedEveryMs).unref();
    },
    log: write,
  };
}
