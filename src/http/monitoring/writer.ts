// Counts what goes to the writing thread and what becomes of it, from outside: neither the thread nor those who use it
// know of that.

import type { TaskResults } from "../../counting/writer/jobs.ts";
import type { WriterThread } from "../../counting/writer/writer-thread.ts";
import type { Measured } from "./metrics.ts";

export interface WatchedWriting {
  /** The same, to be used in its place. */
  writing: WriterThread;
  measured(): Measured;
}

export function watchWriting(writing: WriterThread): WatchedWriting {
  let waitingBytes = 0;
  const events = { accepted: 0, repeated: 0, quarantined: 0, refused: 0 };
  const count = (result: TaskResults[keyof TaskResults]) => {
    // What is replayed was counted here when it came.
    if (typeof result !== "object" || !("refused" in result)) return;
    events.accepted += result.accepted;
    events.repeated += result.repeated;
    events.quarantined += result.quarantined;
    events.refused += result.refused;
  };
  return {
    writing: {
      ...writing,
      reserve(organizationId, bytes) {
        const giveBack = writing.reserve(organizationId, bytes);
        waitingBytes += bytes;
        return () => {
          waitingBytes -= bytes;
          bytes = 0;
          giveBack();
        };
      },
      async write(job) {
        const { length } = job.body;
        waitingBytes += length;
        try {
          const result = await writing.write(job);
          count(result);
          return result;
        } finally {
          waitingBytes -= length;
        }
      },
    },
    measured: () => ({
      email_analytics_events_total: Object.entries(events).map(([outcome, value]) => ({
        labels: { outcome },
        value,
      })),
      email_analytics_ingest_queue_bytes: [{ value: waitingBytes }],
    }),
  };
}
