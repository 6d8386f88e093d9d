// Separates the events that can be counted from those that are excluded, by the campaigns that they name.

import type { CampaignReference } from "../../campaign/events/event.ts";
import { findCampaignsByReference } from "../../storage/campaigns/campaign-references.ts";
import { findLedgers } from "../../storage/ledgers/ledgers.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { type CountableEvent, toCountableEvent } from "./countable-event.ts";
import { type EventCampaign, type ExcludedEvent, exclusionReason } from "./exclude-events.ts";
import type { ClassifiedEvent } from "./incoming-event.ts";

/** Each list is in the order of the events. */
export async function separateEvents(
  scope: Scope,
  organization: Organization,
  events: readonly ClassifiedEvent[],
): Promise<{ countable: CountableEvent[]; excluded: ExcludedEvent[] }> {
  const campaigns = await findEventCampaigns(scope, events);
  const countable: CountableEvent[] = [];
  const excluded: ExcludedEvent[] = [];
  for (const classified of events) {
    const { event, reference } = classified;
    const campaign = reference === undefined ? undefined : campaigns.get(reference);
    const reason = exclusionReason(classified, campaign);
    if (!reason && event && campaign?.ledger) {
      const { stored, ledger } = campaign;
      countable.push(toCountableEvent(organization, classified, event, { stored, ledger }));
    } else excluded.push({ classified, campaign, reason: reason ?? "unreadable" });
  }
  return { countable, excluded };
}

/** The campaigns that events name, by id or external id. */
async function findEventCampaigns(
  scope: Scope,
  events: readonly ClassifiedEvent[],
): Promise<Map<CampaignReference, EventCampaign>> {
  const references = new Set(events.map(({ reference }) => reference));
  references.delete(undefined);
  const found = await findCampaignsByReference(scope, [...(references as Set<CampaignReference>)]);
  const ledgerIds = [...found.values()].flatMap(({ counting }) => counting?.ledgerId ?? []);
  const ledgers = await findLedgers(scope, [...new Set(ledgerIds)]);
  const campaigns = new Map<CampaignReference, EventCampaign>();
  for (const [reference, stored] of found) {
    campaigns.set(reference, { stored, ledger: ledgers.get(stored.counting?.ledgerId ?? 0) });
  }
  return campaigns;
}
