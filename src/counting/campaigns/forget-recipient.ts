// Forgets a recipient (GDPR erasure): nothing identifies the recipient any more. The events stay counted without a name,
// so no number changes. Later events of the recipient in these campaigns are ignored.

import type { TrackingType } from "../../campaign/campaign.ts";
import { normalizeRecipient } from "../../campaign/events/parse-event.ts";
import { eraseAnswers } from "../../campaign/events/recipient.ts";
import { hasNames } from "../../campaign/release-answers.ts";
import { AppError } from "../../errors.ts";
import { isInDirectory, removeFromDirectory } from "../../storage/audience/directory.ts";
import { hasRecipientLists } from "../../storage/audience/recipient-lists.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { referencesOf } from "../../storage/campaigns/stored-campaign.ts";
import { findOpenLedgers, saveForgotten } from "../../storage/ledgers/ledgers.ts";
import { findRecipients, renameRecipient } from "../../storage/ledgers/recipients.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { deleteQuarantinedEvents } from "../../storage/quarantine/delete-quarantined.ts";
import { readAllQuarantined } from "../../storage/quarantine/quarantine.ts";
import { chunks } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { decryptContent } from "../events/quarantined-content.ts";
import { forgottenRecipientName, hashRecipient, storedRecipientName } from "../hashes/hash-recipient.ts";
import { republish } from "../publish.ts";

export interface ForgetResult {
  /** Ids of the campaigns in which the recipient was forgotten. */
  campaigns: number[];
  /** Number of quarantined events of the recipient that were deleted. */
  quarantined: number;
  /** Whether the directory had the recipient. */
  wasInDirectory: boolean;
}

/**
 * @param address of a recipient; not blank
 * @param now milliseconds since 1970
 * @param isUser a user of the web application, who must not learn in which campaigns without names the recipient took part, or
 *   see which comment disappears: nothing of these changes
 * @throws AppError `unavailable` while a list of recipients is being saved
 */
export async function forgetRecipient(
  scope: Scope,
  organization: Organization,
  address: string,
  now: number,
  isUser = false,
): Promise<ForgetResult> {
  if (await hasRecipientLists(scope))
    throw new AppError(
      "unavailable",
      "A list of recipients is being saved, which may have this one. Try again in a moment.",
    );
  const recipient = normalizeRecipient(address);
  const open = await findOpen(scope, isUser);
  const campaigns: number[] = [];
  for (const some of chunks(open)) {
    campaigns.push(...(await forgetInLedgers(scope, organization, recipient, some)));
  }
  // Cached survey answers have names and comments. They are dropped when the campaign changes.
  if (campaigns.length > 0) await republish(scope, campaigns, { now });
  const hash = hashRecipient(organization.secret, { recipient });
  const wasInDirectory = await removeFromDirectory(scope, hash);
  return {
    campaigns,
    wasInDirectory,
    quarantined: await discardQuarantined(
      scope,
      organization,
      hash,
      isUser ? new Set(open.flatMap(({ stored }) => referencesOf(stored))) : undefined,
    ),
  };
}

/**
 * Counts what {@link forgetRecipient} would find for a user, but for quarantined events, which are encrypted.
 *
 * @returns the number of open campaigns with names that have the recipient, and whether the directory has it
 */
export async function findTraces(
  scope: Scope,
  organization: Organization,
  address: string,
): Promise<{ campaigns: number; isInDirectory: boolean }> {
  const recipient = normalizeRecipient(address);
  let campaigns = 0;
  for (const some of chunks(await findOpen(scope, true))) {
    campaigns += (await findInLedgers(scope, organization, recipient, some)).length;
  }
  const hash = hashRecipient(organization.secret, { recipient });
  return { campaigns, isInDirectory: await isInDirectory(scope, hash) };
}

type OpenLedgers = readonly Awaited<ReturnType<typeof findOpen>>[number][];

/** The open campaigns with their ledgers. @param onlyNamed without those whose recipients have no names */
async function findOpen(scope: Scope, onlyNamed: boolean) {
  const ledgers = await findOpenLedgers(scope);
  const ids = ledgers.map(({ campaignId }) => campaignId);
  const found = await findCampaigns(scope, ids);
  const byId = new Map(found.map((stored) => [stored.campaign.id, stored]));
  return ledgers.flatMap((ledger) => {
    const stored = byId.get(ledger.campaignId);
    return stored && (!onlyNamed || hasNames(stored.campaign)) ? [{ ledger, stored }] : [];
  });
}

/** @returns the campaigns that had such a recipient */
async function forgetInLedgers(
  scope: Scope,
  organization: Organization,
  recipient: string,
  ledgers: OpenLedgers,
): Promise<number[]> {
  const campaigns: number[] = [];
  for (const { stored, ledger, newName } of await findInLedgers(scope, organization, recipient, ledgers)) {
    eraseAnswers(stored.state);
    await renameRecipient(scope, stored, newName);
    await saveForgotten(scope, ledger.id);
    campaigns.push(ledger.campaignId);
  }
  return campaigns;
}

async function findInLedgers(
  scope: Scope,
  organization: Organization,
  recipient: string,
  ledgers: OpenLedgers,
) {
  const named = ledgers.map(({ ledger, stored: { campaign } }) => {
    const trackingType = campaign.trackingType as TrackingType;
    const secrets = { organization: organization.secret, campaign: ledger.secret };
    const newName = forgottenRecipientName(secrets, trackingType, { recipient });
    return {
      ledgerId: ledger.id,
      ledger,
      newName,
      name: storedRecipientName(secrets, trackingType, { recipient }),
    };
  });
  return (await findRecipients(scope, named)).flatMap((stored) => {
    const found = named.find(({ ledgerId }) => ledgerId === stored.ledgerId);
    return found ? [{ stored, ledger: found.ledger, newName: found.newName }] : [];
  });
}

/**
 * Quarantined events are encrypted, so this has to decrypt each of them.
 *
 * @param hash of the recipient
 * @param campaigns of which events are deleted; undefined for all
 */
async function discardQuarantined(
  scope: Scope,
  organization: Organization,
  hash: string,
  campaigns: ReadonlySet<unknown> | undefined,
): Promise<number> {
  const discarded: string[] = [];
  for await (const { eventHash, content, campaign } of readAllQuarantined(scope)) {
    if (campaigns && !campaigns.has(campaign)) continue;
    const { hashes } = decryptContent(organization.secret, content).classification;
    if (hashes.recipient === hash) discarded.push(eventHash);
  }
  await deleteQuarantinedEvents(scope, discarded);
  return discarded.length;
}
