// What the pages of the web application work with.

import type { Logger } from "pino";
import type { WritingThread } from "../counting/writing-thread.ts";
import type { Database } from "../storage/database.ts";
import type { Welcome } from "./welcome.ts";

export interface ConsoleDoor {
  database: Database;
  /** Does what takes longer than a moment. */
  writing: WritingThread;
  region: string;
  /** The address under which people and programs reach the service, without a slash at its end. */
  publicUrl: () => string;
  log: Logger;
  /** Only the demo has one. */
  welcome?: Welcome | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
}
