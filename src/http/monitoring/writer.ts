// Counts the events that the writer thread gets, without changes to the thread or its callers.

import type { TaskResults } from "../../counting/writer/jobs.ts";
import type { WriterThread } from "../../counting/writer/writer-thread.ts";
import type { PrometheusMetrics } from "./metrics.ts";

const outcomes = ["accepted", "repeated", "quarantined", "refused"] as const;

/** Returns the same writer thread with counting added. */
export function countWriter(writer: WriterThread, metrics: PrometheusMetrics): WriterThread {
  const events = metrics.email_analytics_events_total;
  for (const outcome of outcomes) events.inc({ outcome }, 0);
  const countEvents = (result: TaskResults[keyof TaskResults]) => {
    // A replay has no `refused`; its events were counted when they arrived.
    if (typeof result !== "object" || !("refused" in result)) return;
    for (const outcome of outcomes) events.inc({ outcome }, result[outcome]);
  };
  return {
    ...writer,
    async write(job) {
      const result = await writer.write(job);
      countEvents(result);
      return result;
    },
  };
}
