// Parses the body of a provider's webhook into events. The provider is already authenticated, so unreadable events are
// quarantined instead of refused.

import { AppError } from "../../errors.ts";
import { isJsonObject, parseJson } from "../../providers/json-object.ts";
import { findProvider } from "../../providers/providers.ts";
import type { IncomingEvent } from "./incoming-event.ts";

/** How to parse the body of a provider's webhook. */
export interface WebhookSource {
  provider: string;
  campaignField: string;
}

/** All events are written in one transaction, which blocks other writers. No provider sends this many. */
const maxEvents = 20_000;

/**
 * @param body as received
 * @returns the events that name a campaign; `ignored` counts the others, which belong to other mail of the same account
 * @throws AppError `payload_too_large`
 */
export function parseWebhookBatch(
  body: Uint8Array,
  { provider: name, campaignField }: WebhookSource,
): { events: IncomingEvent[]; ignored: number } {
  const provider = findProvider(name);
  const unreadable = (problem: string): IncomingEvent => ({
    input: undefined,
    unreadable: `is not a webhook of ${provider.title}${problem}`,
  });
  let list: readonly unknown[] | undefined;
  try {
    list = provider.listEvents((provider.parseBody ?? parseJson)(body));
  } catch (error) {
    if (error instanceof AppError) throw error;
    return { events: [unreadable(": the body cannot be parsed")], ignored: 0 };
  }
  if (!list) return { events: [unreadable("")], ignored: 0 };
  // Values that are not objects are not stored, so one event represents all of them.
  const events = list.every(isJsonObject) ? [] : [unreadable(": an event has to be an object")];
  let ignored = 0;
  for (const item of list) {
    for (const event of isJsonObject(item) ? provider.convertEvent(item, campaignField) : []) {
      // Two providers may use the same id for different events of one campaign.
      const id = typeof event.id === "string" && event.id !== "" ? `${name}:${event.id}` : event.id;
      if (event.campaign_id === undefined) ignored += 1;
      else events.push({ input: { ...event, id } });
    }
  }
  if (events.length <= maxEvents) return { events, ignored };
  throw new AppError(
    "payload_too_large",
    `The request has ${events.length} events; a request may have up to ${maxEvents}.`,
  );
}
