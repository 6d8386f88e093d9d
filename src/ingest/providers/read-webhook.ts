// The body of a provider's request becomes entries to be counted. The provider was admitted already: what cannot be read
// is set aside, never refused.

import type { Entry } from "../../counting/arrival.ts";
import type { WebhookKind } from "../../counting/writer.ts";
import { isFields, parseJson } from "./fields.ts";
import { findProvider } from "./providers.ts";

/**
 * @param body as it came
 * @returns the events that name a campaign; others of the same account are none of ours
 */
export function readWebhook(body: Uint8Array, { provider: name, campaignField }: WebhookKind): Entry[] {
  const provider = findProvider(name);
  let list: readonly unknown[] | undefined;
  try {
    list = provider.listOf((provider.parse ?? parseJson)(body));
  } catch {
    return [{ input: undefined, unreadable: `is not what ${provider.title} sends: the body cannot be read` }];
  }
  if (!list) return [{ input: undefined, unreadable: `is not what ${provider.title} sends` }];
  const entries: Entry[] = [];
  for (const given of list) {
    if (!isFields(given)) {
      entries.push({
        input: undefined,
        unreadable: `is not what ${provider.title} sends: an event is an object`,
      });
      continue;
    }
    for (const event of provider.read(given, campaignField)) {
      if (event.campaign_id === undefined) continue;
      // Another provider may have the same id, for another event of the same campaign.
      const id = typeof event.id === "string" && event.id !== "" ? `${name}:${event.id}` : event.id;
      entries.push({ input: { ...event, id } });
    }
  }
  return entries;
}
