// Sends a service events at a steady rate while something else is measured.

import { join } from "node:path";
import { registerCampaigns } from "../../test/support/service-process.ts";
import { type RunningWorker, startWorker } from "./programs.ts";

const eventsPerBatch = 50;
const campaigns = 10;
const script = join(import.meta.dirname, "event-load.ts");

export interface EventJob {
  url: string;
  key: string;
  /** The events are of the campaigns from this one on. */
  firstCampaign: number;
  campaigns: number;
  eventsPerBatch: number;
  /** Per second. */
  batches: number;
  /** Prefix of the event IDs, which must be new. */
  prefix: string;
}

export interface EventsTaken {
  events: number;
  seconds: number;
}

/**
 * Registers campaigns of which events can be sent.
 *
 * @param firstCampaign the ID of the first one; it and those after it must be free
 * @returns a function that starts to send events, which end when the worker is ended
 */
export async function registerForEvents(
  url: string,
  key: string,
  { perSecond, firstCampaign = 1 }: { perSecond: number; firstCampaign?: number },
): Promise<() => Promise<RunningWorker<EventsTaken>>> {
  await registerCampaigns(url, key, campaigns, firstCampaign);
  let runs = 0;
  return async () => {
    runs += 1;
    const job: EventJob = {
      ...{ url, key, firstCampaign, campaigns, eventsPerBatch },
      ...{ batches: perSecond / eventsPerBatch, prefix: `run-${runs}` },
    };
    const worker = startWorker<EventsTaken>(script, job, "other");
    await worker.started;
    return worker;
  };
}
