// What the addresses behind the tracking door have in common.

import type { Addresses } from "./addresses.ts";
import type { Recorder } from "./recorder.ts";

export interface TrackingDoor {
  addresses: Addresses;
  recorder: Recorder;
  /** How many messages may be held open at the same time. */
  readingsMax: number;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** A reader who follows a link waits no longer for the disk. In milliseconds. */
const patienceMs = 1_000;

/** Waits until an event is written, or no longer; it goes on being written then. */
export async function withinPatience(recorded: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([recorded, patience]);
  clearTimeout(timer);
}
