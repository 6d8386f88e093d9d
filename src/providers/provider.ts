// The interface of an email provider: how it authenticates its webhook requests, and how its events become ours.

import type { IncomingHttpHeaders } from "node:http";
import type { EventType } from "../campaign/events/event.ts";
import type { Device } from "../campaign/events/traffic.ts";
import type { JsonObject } from "./json-object.ts";

export interface Provider {
  /** The name of the provider, as people write it. */
  title: string;
  secret: {
    /** A source without a required secret refuses every request. If it is optional, the webhook URL is the credential. */
    isRequired: boolean;
    /** What the secret is and where to find it, for the docs and `source add`. */
    description: string;
    /** Providers that accept any secret have none. */
    format?: SecretFormat;
  };
  /** The largest body the provider sends, with a margin: authenticating it blocks the event loop. */
  maxBodyBytes: number;
  /** Replaces `unavailable` for providers that do not retry after a 5xx. */
  retryCode?: "too_many_requests";
  /** Where an event carries the campaign field, for the docs and `source add`. */
  campaignFieldLocation: string;
  /**
   * Verifies the signature, or the credentials, of a request.
   *
   * @returns the response to a request that validates the webhook URL and contains no events
   * @throws AppError `unauthorized` if the provider did not send the request
   */
  authenticate(
    request: WebhookRequest,
  ): Promise<ValidationResponse | undefined> | ValidationResponse | undefined;
  /** Parses a body that is not plain JSON. Any error means that the body is unreadable. */
  parseBody?(body: Uint8Array): unknown;
  /** The provider's events in a document; undefined if the document has another shape. The elements are not validated. */
  listEvents(document: unknown): readonly unknown[] | undefined;
  /** Converts one event of the provider; an empty list for types that are not counted. */
  convertEvent(event: JsonObject, campaignField: string): readonly ProviderEvent[];
}

export interface SecretFormat {
  /** Completes the sentence "--secret: what was given is not …". */
  description: string;
  isValid(secret: string): boolean;
}

export interface WebhookRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The full URL of the webhook: some providers sign it. */
  url: string;
  /** The secret of the source, from `--secret`. */
  secret: string | undefined;
  /**
   * Fetches a URL of the provider. Check its host first: the URL comes from the request.
   *
   * @returns the body of a 2xx response
   * @throws AppError `unavailable` on a timeout or any other response
   */
  fetch(url: string): Promise<Buffer>;
}

/** Answers a provider that checks whether the webhook URL belongs to us. */
export interface ValidationResponse {
  body: Record<string, unknown>;
}

/**
 * An event with the fields of `POST /ingest/v1/events` (docs/ingest.md), not yet validated. Ids, recipients, times and
 * URLs are passed on as the provider sent them, so that error messages can show them. Invalid evidence is left out.
 */
export interface ProviderEvent {
  /** Undefined if the event names no campaign: such events are ignored. */
  campaign_id: number | string | undefined;
  id: unknown;
  recipient: unknown;
  type: EventType;
  at: unknown;
  url?: unknown;
  seconds?: number;
  bounce?: string;
  user_agent?: string | undefined;
  ip?: string | undefined;
  device?: Device | undefined;
  machine?: boolean;
}
