// The body of a provider's request becomes entries to be counted. The provider was admitted already: what cannot be read
// is set aside, never refused.

import { AppError } from "../../errors.ts";
import { isJsonObject, parseJson } from "../../providers/json-object.ts";
import { findProvider } from "../../providers/providers.ts";
import type { WebhookSource } from "../writer/jobs.ts";
import type { Entry } from "./arrival.ts";

/** All are written in one transaction, for which others wait. No provider sends as many. */
const eventsMax = 20_000;

/**
 * @param body as it came
 * @returns the events that name a campaign, and how many others there are of the same account: those are none of ours
 * @throws Refusal `payload_too_large`
 */
export function readWebhook(
  body: Uint8Array,
  { provider: name, campaignField }: WebhookSource,
): { entries: Entry[]; ignored: number } {
  const provider = findProvider(name);
  const unreadable = (what: string): Entry => ({
    input: undefined,
    unreadable: `is not what ${provider.title} sends${what}`,
  });
  let list: readonly unknown[] | undefined;
  try {
    list = provider.listEvents((provider.parseBody ?? parseJson)(body));
  } catch (error) {
    if (error instanceof AppError) throw error;
    return { entries: [unreadable(": the body cannot be read")], ignored: 0 };
  }
  if (!list) return { entries: [unreadable("")], ignored: 0 };
  // Of what is no event nothing can be kept but that it came: once is enough.
  const entries = list.every(isJsonObject) ? [] : [unreadable(": an event is an object")];
  let ignored = 0;
  for (const given of list) {
    for (const event of isJsonObject(given) ? provider.convertEvent(given, campaignField) : []) {
      // Another provider may have the same id, for another event of the same campaign.
      const id = typeof event.id === "string" && event.id !== "" ? `${name}:${event.id}` : event.id;
      if (event.campaign_id === undefined) ignored += 1;
      else entries.push({ input: { ...event, id } });
    }
  }
  if (entries.length <= eventsMax) return { entries, ignored };
  throw new AppError(
    "payload_too_large",
    `The request has ${entries.length} events; up to ${eventsMax} are accepted at once.`,
  );
}
