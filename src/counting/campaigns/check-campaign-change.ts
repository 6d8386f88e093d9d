// Checks a change of a campaign against what was already counted.

import type { Campaign } from "../../campaign/campaign.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { hasNames } from "../../campaign/release-answers.ts";
import { AppError } from "../../errors.ts";
import { findRecipientLists } from "../../storage/audience/recipient-lists.ts";
import { findIdsOfExternalIds } from "../../storage/campaigns/campaign-references.ts";
import { isSender, referencesOf, type StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { readRecipients } from "../../storage/ledgers/recipients.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { summarizeQuarantine } from "../../storage/quarantine/quarantine-groups.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import type { Registrar } from "./senders-after.ts";

/** @throws AppError `forbidden` if others send the events of the campaign, and its recipients have no names */
export function requireSender(stored: StoredCampaign, sender: number | undefined): void {
  if (isSender(stored, sender)) return;
  const { campaign, counting } = stored;
  throw new AppError(
    "forbidden",
    `Campaign ${campaign.id} has no names, so only its senders may do this (${Object.keys(counting?.senders ?? {}).join(", ")}); this key is sender ${sender}. An operator can add it: email-analytics campaign senders.`,
  );
}

/**
 * Another tracking type would store the recipients that were already counted under other names. A user who could give a
 * campaign names, or its external id to another one, would see who does what.
 *
 * @throws AppError `conflict`, `forbidden`
 */
export async function checkCampaignChange(
  scope: Scope,
  { persons }: Organization,
  stored: StoredCampaign,
  { campaign: after, externalId }: { campaign: Campaign; externalId: string | null },
  registrar: Registrar,
): Promise<void> {
  const { campaign: before, counting } = stored;
  const { id } = after;
  if (registrar !== "user") requireSender(stored, registrar);
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
  if (registrar === "user" && !hasNames(before) && (counting.externalId !== externalId || hasNames(after))) {
    const field = hasNames(after) ? "tracking_type" : "external_id";
    refuse(`${field}: recipients of campaign ${id} have no names, so only its sender can change this.`);
  }
  if (before.trackingType === after.trackingType) return;
  // Nothing is stored under a name any more, and an organization without persons asks its senders for this type.
  if (counting.ledgerId === null && persons === "refuse" && after.trackingType === "Anonymous") return;
  const keep = `keep ${quote(before.trackingType)}`;
  if (counting.ledgerId === null) refuse(`tracking_type: campaign ${id} is closed; ${keep}.`);
  const first = { ledgerId: counting.ledgerId ?? 0, after: "", limit: 1 };
  const isListed = (await findRecipientLists(scope, [id])).length > 0;
  if (isListed || (await readRecipients(scope, first)).length > 0) {
    refuse(
      `tracking_type: events of campaign ${id} were already counted, or its recipients are listed; ${keep}.`,
    );
  }
  // The quarantine stores recipients as the old tracking type requires.
  const quarantined = { campaigns: referencesOf({ campaign: before, counting }) };
  if ((await summarizeQuarantine(scope, quarantined)).length > 0) {
    refuse(`tracking_type: campaign ${id} has quarantined events; discard them, or ${keep}.`);
  }
}

/** @throws AppError `conflict` if the external id belongs to another campaign */
export async function checkExternalId(scope: Scope, id: number, externalId: string | null): Promise<void> {
  if (externalId === null) return;
  const owner = (await findIdsOfExternalIds(scope, [externalId])).get(externalId);
  if (owner === undefined || owner === id) return;
  throw new AppError("conflict", `external_id: ${quote(externalId)} already belongs to campaign ${owner}.`);
}
