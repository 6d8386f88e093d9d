// The body of a provider's request becomes entries to be counted. The provider was admitted already: what cannot be read
// is set aside, never refused.

import type { Entry } from "../../counting/arrival.ts";
import type { WebhookKind } from "../../counting/writer.ts";
import { isFields, parseJson } from "./fields.ts";
import { findProvider } from "./providers.ts";

/**
 * @param body as it came
 * @returns the events that name a campaign, and how many others there are of the same account: those are none of ours
 */
export function readWebhook(
  body: Uint8Array,
  { provider: name, campaignField }: WebhookKind,
): { entries: Entry[]; ignored: number } {
  const provider = findProvider(name);
  const unreadable = (what: string): Entry => ({
    input: undefined,
    unreadable: `is not what ${provider.title} sends${what}`,
  });
  let list: readonly unknown[] | undefined;
  try {
    list = provider.listOf((provider.parse ?? parseJson)(body));
  } catch {
    return { entries: [unreadable(": the body cannot be read")], ignored: 0 };
  }
  if (!list) return { entries: [unreadable("")], ignored: 0 };
  const entries: Entry[] = [];
  let ignored = 0;
  for (const given of list) {
    if (!isFields(given)) {
      entries.push(unreadable(": an event is an object"));
      continue;
    }
    for (const event of provider.read(given, campaignField)) {
      // Another provider may have the same id, for another event of the same campaign.
      const id = typeof event.id === "string" && event.id !== "" ? `${name}:${event.id}` : event.id;
      if (event.campaign_id === undefined) ignored += 1;
      else entries.push({ input: { ...event, id } });
    }
  }
  return { entries, ignored };
}
