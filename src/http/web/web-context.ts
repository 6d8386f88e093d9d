// What the pages of the web application work with.

import type { Logger } from "pino";
import type { WriterThread } from "../../counting/writer/writer-thread.ts";
import type { TimelineCache } from "../../listing/timeline/timeline-cache.ts";
import type { Database } from "../../storage/database.ts";

/** How an OpenID provider knows us. */
export interface OpenIdSettings {
  /** The address of the provider, as it names itself. */
  issuer: string;
  clientId: string;
  /** Nothing that is shown or logged may hold it. */
  clientSecret: string;
  /** Whether an email counts that it does not say it has verified. */
  trustsEmails: boolean;
}

/** An address at which whoever opens it has signed in as somebody. */
export interface DemoSignIn {
  /** The last part of the address. */
  secret: string;
  organizationId: number;
  userId: number;
}

/** The pages cannot know the other doors by themselves. */
export interface OtherComponents {
  /** Where records are read from, and where programs and providers send events to; the source's id ends the last one. */
  emailsPath: string;
  eventsPath: string;
  webhooksPath: string;
  /** Of a provider by the name that its sources have: its own name, and whether nothing is taken from it without a secret. */
  providerOf(name: string): { title: string; needsSecret: boolean };
  /** Whether tracked messages can be made. */
  isTracking: boolean;
}

export interface WebContext {
  database: Database;
  timelines: TimelineCache;
  /** Does what takes longer than a moment. */
  writing: WriterThread;
  region: string;
  /** The address under which people and programs reach the service, without a slash at its end. */
  publicUrl: () => string;
  /** What people are told of the other doors. */
  others: OtherComponents;
  log: Logger;
  /** Only the demo has one. */
  welcome?: DemoSignIn | undefined;
  /** Where people may sign in with the account of their company, if anywhere. */
  openId?: OpenIdSettings | undefined;
  /** When the service begins to stop: what takes long is not worth going on with. */
  closing?: AbortSignal | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
}
