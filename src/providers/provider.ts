// What an email provider is to us: how it shows that it is the one, and how its words become events of ours.

import type { IncomingHttpHeaders } from "node:http";
import type { EventType } from "../campaign/events/event.ts";
import type { Device } from "../campaign/events/traffic.ts";

/** One request of a provider, as it came. */
export interface Webhook {
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The whole address that the provider was given: some sign it. */
  url: string;
  /** What `--secret` gave. */
  secret: string | undefined;
  /**
   * Asks an address of the provider's own, once its host is known to be one.
   *
   * @returns the body of a 2xx answer
   * @throws Refusal `unavailable` when there is none in time
   */
  ask(url: string): Promise<Buffer>;
}

/** What a provider is answered that wants to know whether the address is ours; there is nothing to count. */
export interface Handshake {
  body: Record<string, unknown>;
}

/**
 * An event in the fields of our own interface (docs/ingest.md), not yet held against them: what the provider sent in
 * place of an id, a recipient, a time or a link stands there as it came, so that a refusal can name it. Evidence that
 * makes no sense is left out.
 */
export interface ProviderEvent {
  /** Undefined where the event names no campaign: it is none of ours, and ignored. */
  campaign_id: number | string | undefined;
  id: unknown;
  recipient: unknown;
  type: EventType;
  at: unknown;
  url?: unknown;
  seconds?: number;
  user_agent?: string | undefined;
  ip?: string | undefined;
  device?: Device | undefined;
  machine?: boolean;
}

export interface Provider {
  /** Its name, for people. */
  title: string;
  secret: {
    /** Without it nothing is taken; where it is not needed, the address alone is what nobody can guess. */
    isNeeded: boolean;
    /** What it is, and where it is found. */
    meaning: string;
    /** What is accepted, in words that end the sentence "… is not"; undefined when the text is. */
    faultOf?(secret: string): string | undefined;
  };
  /** The largest body that it sends, in bytes, with room to spare: it is looked at before anybody else is served. */
  bodyBytesMax: number;
  /** What to answer instead, where the provider drops what is answered with a 5xx. */
  triesAgainAfter?: "too_many_requests";
  /** Where an event carries the campaign field, in a sentence of the documentation. */
  carrier: string;
  /**
   * Finds out whether the provider sent it.
   *
   * @returns an answer where the request is no batch of events
   * @throws Refusal `unauthorized`
   */
  admit(webhook: Webhook): Promise<Handshake | undefined> | Handshake | undefined;
  /** The document in a body, where it is not all of it as JSON. Whatever it throws means that the body is unreadable. */
  parse?(body: Uint8Array): unknown;
  /** What the document holds: each an event or something else. Undefined when it is not what the provider sends. */
  listOf(document: unknown): readonly unknown[] | undefined;
  /** The events of ours in one of those: none where it is of another kind, or there is nothing to be told from it. */
  read(given: Fields, campaignField: string): readonly ProviderEvent[];
}

/** An object of JSON. */
export type Fields = Readonly<Record<string, unknown>>;
