// What the routes for tracking URLs share.

import type { AnswerLimit } from "./answer-limit.ts";
import type { FloodDetector } from "./flood-detector.ts";
import type { Recorder, RecordStatus } from "./recorder.ts";
import type { TrackingUrls } from "./tracking-urls.ts";

export interface TrackingContext {
  trackingUrls: TrackingUrls;
  recorder: Recorder;
  floods: FloodDetector;
  answers: AnswerLimit;
  /** Where mail clients reach the service, without a trailing slash. */
  url: () => string;
  /** The number of read images that may be open at the same time. */
  maxOpenReads: number;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** How long a reader who follows a link waits for the disk at most. */
const defaultTimeoutMs = 1_000;

/** The status of an event; undefined after the timeout, while the event is still being written. */
export async function waitForStatus(
  recorded: Promise<RecordStatus>,
  timeoutMs = defaultTimeoutMs,
): Promise<RecordStatus | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  const status = await Promise.race([recorded, timeout]);
  clearTimeout(timer);
  return status;
}
