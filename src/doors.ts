// The doors of the service: what each is for, whether something is written behind it, and how it is opened.

import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { addEmails, type EmailsOptions, emailsPath } from "./api/emails.ts";
import { addOpenApi } from "./api/openapi.ts";
import { addConsole } from "./console/add-console.ts";
import type { OpenIdSettings, Welcome } from "./console/door.ts";
import type { WritingThread } from "./counting/writing-thread.ts";
import { addIngest } from "./ingest/add-ingest.ts";
import { eventsPath } from "./ingest/events.ts";
import type { Provider } from "./ingest/providers/provider.ts";
import { providers } from "./ingest/providers/providers.ts";
import { webhooksPath } from "./ingest/webhooks.ts";
import type { KeyUsage } from "./key-usage.ts";
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
  /** Notes when keys are used. */
  keyUsage: KeyUsage;
  region: string;
  /** The address under which clients reach the service, without a slash at its end. */
  publicUrl: () => string;
  log: Logger;
  /** Asks an address of an email provider's own. */
  ask?: (url: string) => Promise<Buffer>;
  /** The addresses inside messages. */
  tracking: Pick<TrackingOptions, "secrets" | "url" | "readingsMax">;
  /** Where people may sign in with the account of their company, if anywhere. */
  openId?: OpenIdSettings | undefined;
  /** Bytes that may be taken by what is remembered between requests for records. */
  memory: EmailsOptions["memory"];
  /** Signs in whoever comes by its address; only the demo has one. */
  welcome?: Welcome | undefined;
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
    open(app, options) {
      const isTracking = options.tracking.secrets.length > 0;
      const others = { emailsPath, eventsPath, webhooksPath, providerOf, isTracking };
      const closing = new AbortController();
      app.addHook("preClose", async () => closing.abort());
      addConsole(app, { ...options, others, closing: closing.signal });
    },
  },
} as const satisfies Record<string, Door>;

/** One that this version does not know goes by the name that its sources have. */
function providerOf(name: string): { title: string; needsSecret: boolean } {
  const known = (providers as Readonly<Record<string, Provider | undefined>>)[name];
  return { title: known?.title ?? name, needsSecret: known?.secret.isNeeded === true };
}

export type DoorName = keyof typeof doors;
export const doorNames = Object.keys(doors) as DoorName[];
