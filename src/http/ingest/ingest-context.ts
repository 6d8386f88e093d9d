// What the addresses of this door have in common.

import type { FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { WriterThread } from "../../counting/writer/writer-thread.ts";
import { AppError } from "../../errors.ts";
import type { WebhookRequest } from "../../providers/provider.ts";
import type { Database } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import type { KeyUsage } from "../key-usage.ts";

export interface IngestOptions {
  database: Database;
  region: string;
  writing: WriterThread;
  keyUsage: KeyUsage;
  /** The address under which clients reach the service, without a slash at its end. */
  publicUrl: () => string;
  log: Logger;
  /** Asks an address of a provider's own. */
  ask?: WebhookRequest["fetch"];
  /** Milliseconds since 1970. */
  now: () => number;
}

/** What the addresses behind the door work with. */
export interface IngestContext extends IngestOptions {
  /** Whose key a request carries. */
  caller(request: FastifyRequest): Organization;
}

/** @throws Refusal `unavailable` where events could not be set aside, so that they are sent again */
export function refuseFullQuota(refused: number): void {
  if (refused === 0) return;
  throw new AppError(
    "unavailable",
    `Of the events, ${refused} had to be set aside, and the organization's quota for that is full; the others were taken. Register the campaigns or discard what waits, then send all of them again.`,
  );
}
