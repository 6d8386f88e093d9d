// Checks a change of a campaign against what was already counted.

import type { Campaign } from "../../campaign/campaign.ts";
import { quote } from "../../campaign/quote.ts";
import { AppError } from "../../errors.ts";
import { findIdsOfExternalIds } from "../../storage/campaigns/campaign-references.ts";
import { referencesOf, type StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { summarizeQuarantine } from "../../storage/quarantine/quarantine-groups.ts";
import { readRecipients } from "../../storage/recipients.ts";

/**
 * Another tracking type would store the recipients that were already counted under other names.
 *
 * @throws AppError `conflict`
 */
export async function checkCampaignChange(
  queries: Queries,
  { id: organizationId, persons }: Organization,
  { campaign: before, counting }: StoredCampaign,
  after: Campaign,
): Promise<void> {
  const { id } = after;
  const refuse = (message: string) => {
    throw new AppError("conflict", message);
  };
  if (!counting) {
    return refuse(
      `The numbers of campaign ${id} were imported; it cannot be counted as well. Delete it first, or use another id.`,
    );
  }
  const numbers = { recipient_count: "recipientCount", surveys_count: "surveysCount" } as const;
  for (const [field, name] of Object.entries(numbers)) {
    if (counting.ledgerId !== null || before[name] === after[name]) continue;
    refuse(`${field}: campaign ${id} is closed and its numbers are final; keep ${quote(before[name])}.`);
  }
  if (counting.ledgerId === null && before.sentAt !== after.sentAt) {
    const sentAt = quote(new Date(before.sentAt).toISOString());
    refuse(`sent_at: campaign ${id} is closed and its numbers by age are final; keep ${sentAt}.`);
  }
  if (before.trackingType === after.trackingType) return;
  // Nothing is stored under a name any more, and an organization without persons asks its senders for this type.
  if (counting.ledgerId === null && persons === "refuse" && after.trackingType === "Anonymous") return;
  const keep = `keep ${quote(before.trackingType)}`;
  if (counting.ledgerId === null) refuse(`tracking_type: campaign ${id} is closed; ${keep}.`);
  const first = { ledgerId: counting.ledgerId ?? 0, after: "", limit: 1 };
  if ((await readRecipients(queries, organizationId, first)).length > 0) {
    refuse(
      `tracking_type: events of campaign ${id} were already counted, or its recipients are listed; ${keep}.`,
    );
  }
  // The quarantine stores recipients as the old tracking type requires.
  const quarantined = { campaigns: referencesOf({ campaign: before, counting }) };
  if ((await summarizeQuarantine(queries, organizationId, quarantined)).length > 0) {
    refuse(`tracking_type: campaign ${id} has quarantined events; discard them, or ${keep}.`);
  }
}

/** @throws AppError `conflict` if the external id belongs to another campaign */
export async function checkExternalId(
  queries: Queries,
  organizationId: number,
  id: number,
  externalId: string | null,
): Promise<void> {
  if (externalId === null) return;
  const owner = (await findIdsOfExternalIds(queries, organizationId, [externalId])).get(externalId);
  if (owner === undefined || owner === id) return;
  throw new AppError("conflict", `external_id: ${quote(externalId)} already belongs to campaign ${owner}.`);
}
