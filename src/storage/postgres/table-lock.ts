// How a migration or a vacuum waits for the lock of a table that is in use.

import { secondMs } from "../../campaign/calendar/durations.ts";

/** Waits only this long, and then retries: other statements queue behind a waiting one. */
export const lockMs = secondMs;
export const retryEveryMs = 500;
