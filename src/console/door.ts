// What the pages of the web application work with.

import type { Logger } from "pino";
import type { WritingThread } from "../counting/writing-thread.ts";
import type { Timelines } from "../listing/timelines.ts";
import type { Database } from "../storage/database.ts";

export interface ConsoleDoor {
  database: Database;
  timelines: Timelines;
  /** Does what takes longer than a moment. */
  writing: WritingThread;
  region: string;
  /** The address under which people and programs reach the service, without a slash at its end. */
  publicUrl: () => string;
  log: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
}
