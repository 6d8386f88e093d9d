// Forgets a recipient: nothing tells any more who it was. What it has done stays without a name, so that no number
// changes; what comes of it later in those campaigns is ignored.

import type { TrackingType } from "../../campaign/campaign.ts";
import { normalizeRecipient } from "../../campaign/events/event.ts";
import { forgetWords } from "../../campaign/events/recipient.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { Queries } from "../../storage/database.ts";
import { countForgotten, findOpenLedgers } from "../../storage/ledgers.ts";
import { type Organization, raiseRevision } from "../../storage/organizations.ts";
import { deleteQuarantinedEvents, type QuarantinedEvent, readQuarantined } from "../../storage/quarantine.ts";
import { findRecipients, renameRecipient } from "../../storage/recipients.ts";
import { nameOfForgotten, nameOfRecipient, originOf } from "../events/hashes.ts";
import { decrypt } from "../events/quarantine.ts";

const atOnce = 500;

export interface Forgotten {
  /** Ids of the campaigns that the recipient was forgotten in. */
  campaigns: number[];
  /** Events of the recipient that waited, and were dropped. */
  quarantined: number;
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
): Promise<Forgotten> {
  const recipient = normalizeRecipient(address);
  const ledgers = await findOpenLedgers(queries, organization.id);
  const campaigns: number[] = [];
  for (let start = 0; start < ledgers.length; start += atOnce) {
    const some = ledgers.slice(start, start + atOnce);
    const ids = some.map(({ campaignId }) => campaignId);
    const stored = new Map(
      (await findCampaigns(queries, organization.id, ids)).map(({ campaign }) => [campaign.id, campaign]),
    );
    const named = some.map((ledger) => {
      const trackingType = stored.get(ledger.campaignId)?.trackingType as TrackingType;
      const secrets = { organization: organization.secret, campaign: ledger.secret };
      const name = nameOfRecipient(secrets, trackingType, { recipient });
      return { ...ledger, ledgerId: ledger.id, name };
    });
    for (const found of await findRecipients(queries, organization.id, named)) {
      const ledger = named.find(({ ledgerId }) => ledgerId === found.ledgerId);
      if (!ledger) continue;
      forgetWords(found.state);
      const nameless = nameOfForgotten(ledger.secret, found.name);
      await renameRecipient(queries, organization.id, found, nameless);
      await countForgotten(queries, organization.id, ledger.ledgerId);
      campaigns.push(ledger.campaignId);
    }
  }
  // What is remembered of answers holds names and words.
  if (campaigns.length > 0) await raiseRevision(queries, organization.id, now);
  return { campaigns, quarantined: await dropWaiting(queries, organization, recipient) };
}

/** Events that wait are encrypted, so each has to be looked into. */
async function dropWaiting(queries: Queries, organization: Organization, recipient: string): Promise<number> {
  let dropped = 0;
  const hash = originOf(organization.secret, { recipient }).recipient;
  for (let after: QuarantinedEvent | undefined; ; ) {
    const some = await readQuarantined(queries, organization.id, { filter: {}, after, limit: atOnce });
    if (some.length === 0) return dropped;
    after = some.at(-1);
    const theirs = some.filter(
      ({ content }) => decrypt(organization.secret, content).judgement.origin.recipient === hash,
    );
    await deleteQuarantinedEvents(
      queries,
      organization.id,
      theirs.map(({ eventHash }) => eventHash),
    );
    dropped += theirs.length;
  }
}
