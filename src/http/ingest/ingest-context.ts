// What the routes of the ingest component share.

import type { FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { ReadFile } from "../../counting/import/file-readers.ts";
import { AppError } from "../../errors.ts";
import type { WebhookRequest } from "../../providers/provider.ts";
import type { Sender, SenderOptions } from "../request/authenticate-senders.ts";

export interface IngestContext extends SenderOptions {
  /** The public base URL, without a trailing slash. */
  publicUrl: () => string;
  log: Logger;
  readFile: ReadFile;
  /** Fetches a URL of an email provider, such as a certificate. */
  fetchUrl?: WebhookRequest["fetch"];
}

/** The context of routes that require a key of the scope `ingest`. */
export interface SenderContext extends IngestContext {
  caller(request: FastifyRequest): Sender;
}

/** @throws AppError `unavailable` if the quarantine had no room for some events, so that the sender retries */
export function rejectFullQuarantine(refused: number): void {
  if (refused === 0) return;
  throw new AppError(
    "unavailable",
    `${refused} of the events could not be counted yet, and the organization's quarantine is full. The other events were accepted. Register the campaigns or discard quarantined events, then send all events again.`,
  );
}
