// Forgets a recipient (GDPR erasure): nothing identifies the recipient any more. The events stay counted without a name,
// so no number changes. Later events of the recipient in these campaigns are ignored.

import type { TrackingType } from "../../campaign/campaign.ts";
import { normalizeRecipient } from "../../campaign/events/parse-event.ts";
import { eraseAnswers } from "../../campaign/events/recipient.ts";
import { isInDirectory, removeFromDirectory } from "../../storage/audience/directory.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { chunks, type Queries, rowsPerStatement } from "../../storage/database.ts";
import { findOpenLedgers, saveForgotten } from "../../storage/ledgers.ts";
import type { Organization } from "../../storage/organizations.ts";
import { deleteQuarantinedEvents } from "../../storage/quarantine/delete-quarantined.ts";
import { type QuarantinedEvent, readQuarantined } from "../../storage/quarantine/quarantine.ts";
import { findRecipients, renameRecipient } from "../../storage/recipients.ts";
import { forgottenRecipientName, hashRecipient, storedRecipientName } from "../events/hash-recipient.ts";
import { decryptContent } from "../events/quarantined-content.ts";
import { publishAgain } from "../publish.ts";

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
 */
export async function forgetRecipient(
  queries: Queries,
  organization: Organization,
  address: string,
  now: number,
): Promise<ForgetResult> {
  const recipient = normalizeRecipient(address);
  const ledgers = await findOpenLedgers(queries, organization.id);
  const campaigns: number[] = [];
  for (const some of chunks(ledgers)) {
    campaigns.push(...(await forgetInLedgers(queries, organization, recipient, some)));
  }
  // Cached survey answers have names and comments. They are dropped when the campaign changes.
  if (campaigns.length > 0) await publishAgain(queries, organization, campaigns, { now });
  const hash = hashRecipient(organization.secret, { recipient });
  const wasInDirectory = await removeFromDirectory(queries, organization.id, hash);
  return {
    campaigns,
    wasInDirectory,
    quarantined: await discardQuarantined(queries, organization, recipient),
  };
}

/**
 * Counts what {@link forgetRecipient} would find, but for quarantined events, which are encrypted.
 *
 * @returns the number of open campaigns with the recipient, and whether the directory has it
 */
export async function findTraces(
  queries: Queries,
  organization: Organization,
  address: string,
): Promise<{ campaigns: number; isInDirectory: boolean }> {
  const recipient = normalizeRecipient(address);
  const ledgers = await findOpenLedgers(queries, organization.id);
  let campaigns = 0;
  for (const some of chunks(ledgers)) {
    campaigns += (await findInLedgers(queries, organization, recipient, some)).length;
  }
  const hash = hashRecipient(organization.secret, { recipient });
  return { campaigns, isInDirectory: await isInDirectory(queries, organization.id, hash) };
}

type OpenLedgers = readonly Awaited<ReturnType<typeof findOpenLedgers>>[number][];

/** @returns the campaigns that had such a recipient */
async function forgetInLedgers(
  queries: Queries,
  organization: Organization,
  recipient: string,
  ledgers: OpenLedgers,
): Promise<number[]> {
  const campaigns: number[] = [];
  for (const { stored, ledger, newName } of await findInLedgers(queries, organization, recipient, ledgers)) {
    eraseAnswers(stored.state);
    await renameRecipient(queries, organization.id, stored, newName);
    await saveForgotten(queries, organization.id, ledger.id);
    campaigns.push(ledger.campaignId);
  }
  return campaigns;
}

async function findInLedgers(
  queries: Queries,
  organization: Organization,
  recipient: string,
  ledgers: OpenLedgers,
) {
  const ids = ledgers.map(({ campaignId }) => campaignId);
  const campaigns = await findCampaigns(queries, organization.id, ids);
  const trackingTypes = new Map(campaigns.map(({ campaign }) => [campaign.id, campaign.trackingType]));
  const named = ledgers.map((ledger) => {
    const trackingType = trackingTypes.get(ledger.campaignId) as TrackingType;
    const secrets = { organization: organization.secret, campaign: ledger.secret };
    const newName = forgottenRecipientName(secrets, trackingType, { recipient });
    return {
      ...{ ledgerId: ledger.id, ledger, newName },
      name: storedRecipientName(secrets, trackingType, { recipient }),
    };
  });
  return (await findRecipients(queries, organization.id, named)).flatMap((stored) => {
    const found = named.find(({ ledgerId }) => ledgerId === stored.ledgerId);
    return found ? [{ stored, ledger: found.ledger, newName: found.newName }] : [];
  });
}

/** Quarantined events are encrypted, so this has to decrypt each of them. */
async function discardQuarantined(
  queries: Queries,
  organization: Organization,
  recipient: string,
): Promise<number> {
  let discarded = 0;
  const hash = hashRecipient(organization.secret, { recipient });
  for (let after: QuarantinedEvent | undefined; ; ) {
    const page = await readQuarantined(queries, organization.id, {
      filter: {},
      after,
      limit: rowsPerStatement,
    });
    if (page.length === 0) return discarded;
    after = page.at(-1);
    const own = page.filter(
      ({ content }) => decryptContent(organization.secret, content).classification.hashes.recipient === hash,
    );
    await deleteQuarantinedEvents(
      queries,
      organization.id,
      own.map(({ eventHash }) => eventHash),
    );
    discarded += own.length;
  }
}
