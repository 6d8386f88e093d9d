// The doors of the service: what each is for, whether something is written behind it, and how it is opened.

import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { addEmails, type EmailsOptions } from "./api/emails.ts";
import { addOpenApi } from "./api/openapi.ts";
import { addConsole } from "./console/add-console.ts";
import type { WritingThread } from "./counting/writing-thread.ts";
import { addIngest } from "./ingest/add-ingest.ts";
import type { Timelines } from "./listing/timelines.ts";
import type { Database } from "./storage/database.ts";
import type { Replica } from "./storage/replica.ts";
import { addTracking, type TrackingOptions } from "./tracking/add-tracking.ts";

/** What the doors work with. */
export interface DoorOptions {
  database: Database;
  /** Where the records are read from, as long as it is up to date. */
  replica?: Replica | undefined;
  /** Writes what comes in. */
  writing: WritingThread;
  region: string;
  /** The address under which clients reach the service, without a slash at its end. */
  publicUrl: () => string;
  log: Logger;
  /** Asks an address of an email provider's own. */
  ask?: (url: string) => Promise<Buffer>;
  /** The addresses inside messages. */
  tracking: Pick<TrackingOptions, "secrets" | "url" | "readingsMax">;
  /** Bytes that may be taken by what is remembered between requests for records. */
  memory: EmailsOptions["memory"];
  /** Which campaigns there are, remembered for all doors that list them. */
  timelines: Timelines;
  /** Milliseconds since 1970. */
  now: () => number;
}

interface Door {
  /** What is served behind it, in words without a full stop. */
  meaning: string;
  /** Whether what comes in by it is written: a process without such a door needs no thread for that. */
  writes: boolean;
  open(app: FastifyInstance, options: DoorOptions): void;
}

export const doors = {
  api: {
    meaning: "the records, and the OpenAPI document",
    writes: false,
    open(app, options) {
      addOpenApi(app, options.publicUrl);
      addEmails(app, options);
    },
  },
  ingest: {
    meaning: "campaigns and events from programs, and events from email providers",
    writes: true,
    open: addIngest,
  },
  tracking: {
    meaning: "tracked messages, and the answers to their readers",
    writes: true,
    open(app, { tracking, ...options }) {
      addTracking(app, { ...options, ...tracking });
    },
  },
  console: {
    meaning: "the web application: settings, and a look at the numbers",
    writes: true,
    open: addConsole,
  },
} as const satisfies Record<string, Door>;

export type DoorName = keyof typeof doors;
export const doorNames = Object.keys(doors) as DoorName[];
