// The doors of the service: what each is for, whether something is written behind it, and how it is opened.

import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { WriterThread } from "../counting/writer/writer-thread.ts";
import type { TimelineCache } from "../listing/timeline/timeline-cache.ts";
import type { Provider } from "../providers/provider.ts";
import { providers } from "../providers/providers.ts";
import type { Database } from "../storage/database.ts";
import type { Replica } from "../storage/postgres/replica.ts";
import { addEmails, type EmailsOptions, emailsPath } from "./api/emails.ts";
import { addOpenApi } from "./api/openapi.ts";
import { eventsPath } from "./ingest/events.ts";
import { addIngestRoutes } from "./ingest/routes.ts";
import { webhooksPath } from "./ingest/webhooks.ts";
import type { KeyUsage } from "./key-usage.ts";
import { addTrackingRoutes, type TrackingOptions } from "./tracking/routes.ts";
import { addWebRoutes } from "./web/routes.ts";
import type { DemoSignIn, OpenIdSettings } from "./web/web-context.ts";

/** What the doors work with. */
export interface ComponentOptions {
  database: Database;
  /** Where the records are read from, as long as it is up to date. */
  replica?: Replica | undefined;
  /** Writes what comes in. */
  writing: WriterThread;
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
  welcome?: DemoSignIn | undefined;
  /** Which campaigns there are, remembered for all doors that list them. */
  timelines: TimelineCache;
  /** Milliseconds since 1970. */
  now: () => number;
}

interface Component {
  /** What is served behind it, in words without a full stop. */
  meaning: string;
  /** Whether what comes in by it is written: a process without such a door needs no thread for that. */
  writes: boolean;
  open(app: FastifyInstance, options: ComponentOptions): void;
}

export const components = {
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
    open: addIngestRoutes,
  },
  tracking: {
    meaning: "tracked messages, and the answers to their readers",
    writes: true,
    open(app, { tracking, ...options }) {
      addTrackingRoutes(app, { ...options, ...tracking });
    },
  },
  web: {
    meaning: "the web application: settings, and a look at the numbers",
    writes: true,
    open(app, options) {
      const isTracking = options.tracking.secrets.length > 0;
      const others = { emailsPath, eventsPath, webhooksPath, providerOf, isTracking };
      const closing = new AbortController();
      app.addHook("preClose", async () => closing.abort());
      addWebRoutes(app, { ...options, others, closing: closing.signal });
    },
  },
} as const satisfies Record<string, Component>;

/** One that this version does not know goes by the name that its sources have. */
function providerOf(name: string): { title: string; needsSecret: boolean } {
  const known = (providers as Readonly<Record<string, Provider | undefined>>)[name];
  return { title: known?.title ?? name, needsSecret: known?.secret.isRequired === true };
}

export type ComponentName = keyof typeof components;
export const componentNames = Object.keys(components) as ComponentName[];
