// Selects quarantined events by campaign, reason and time.

import type { CampaignReference } from "../../campaign/events/event.ts";
import type { Scope } from "../queries/scope.ts";
import type { QuarantineReason } from "../tables/campaigns.ts";

export interface QuarantineFilter {
  /** Events for any of these campaigns, by id or external id; undefined for events that do not say. */
  campaigns?: readonly (CampaignReference | undefined)[] | undefined;
  reason?: QuarantineReason | undefined;
  receivedFrom?: number | undefined;
  receivedBefore?: number | undefined;
}

export function selectQuarantined(scope: Scope, filter: QuarantineFilter) {
  let selected = scope.from("quarantine");
  if (filter.campaigns) {
    selected = selected.where("campaign_reference", "in", filter.campaigns.map(encodeReference));
  }
  if (filter.reason !== undefined) selected = selected.where("reason", "=", filter.reason);
  if (filter.receivedFrom !== undefined) selected = selected.where("received_at", ">=", filter.receivedFrom);
  if (filter.receivedBefore !== undefined) {
    selected = selected.where("received_at", "<", filter.receivedBefore);
  }
  return selected;
}

/** JSON keeps the id 1 and the external id "1" apart. */
export function encodeReference(campaign: CampaignReference | undefined): string {
  return JSON.stringify(campaign ?? null);
}

export function decodeReference(text: string): CampaignReference | undefined {
  return (JSON.parse(text) as CampaignReference | null) ?? undefined;
}
