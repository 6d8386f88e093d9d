// What the addresses behind the tracking door have in common.

import type { Recorder, RecordStatus } from "./recorder.ts";
import type { TrackingUrls } from "./tracking-urls.ts";

export interface TrackingContext {
  trackingUrls: TrackingUrls;
  recorder: Recorder;
  /** How many messages may be held open at the same time. */
  readingsMax: number;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** A reader who follows a link waits no longer for the disk. In milliseconds. */
const patienceMs = 1_000;

/**
 * Waits until it is known what became of an event, or no longer; it goes on being written then.
 *
 * @returns undefined where that took too long
 */
export async function waitForStatus(
  recorded: Promise<RecordStatus>,
  waitMsMax = patienceMs,
): Promise<RecordStatus | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMsMax);
  });
  const outcome = await Promise.race([recorded, patience]);
  clearTimeout(timer);
  return outcome;
}
