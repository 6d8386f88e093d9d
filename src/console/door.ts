// What the pages of the web application work with.

import type { Logger } from "pino";
import type { WritingThread } from "../counting/writing-thread.ts";
import type { Database } from "../storage/database.ts";

/** The pages cannot know the other doors by themselves. */
export interface OtherDoors {
  /** Where records are read from, and where programs and providers send events to; the source's id ends the last one. */
  emailsPath: string;
  eventsPath: string;
  webhooksPath: string;
  /** Of a provider by the name that its sources have: its own name, and whether nothing is taken from it without a secret. */
  providerOf(name: string): { title: string; needsSecret: boolean };
  /** Whether tracked messages can be made. */
  isTracking: boolean;
}

export interface ConsoleDoor {
  database: Database;
  /** Does what takes longer than a moment. */
  writing: WritingThread;
  region: string;
  /** The address under which people and programs reach the service, without a slash at its end. */
  publicUrl: () => string;
  /** What people are told of the other doors. */
  others: OtherDoors;
  log: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
}
