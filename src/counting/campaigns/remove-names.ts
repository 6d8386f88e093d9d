// Removes the names of recipients from an organization that refuses persons: its campaigns become Anonymous.

import type { TrackingType } from "../../campaign/campaign.ts";
import { isForgotten } from "../../campaign/events/parse-event.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { findNamedCampaign } from "../../storage/campaigns/named-campaigns.ts";
import { findLedgers, type Ledger } from "../../storage/ledgers/ledgers.ts";
import { readNames, renameRecipients } from "../../storage/ledgers/recipients.ts";
import { lockOrganization, type Organization } from "../../storage/organizations/organizations.ts";
import { readAllQuarantined, replaceContents } from "../../storage/quarantine/quarantine.ts";
import { asyncChunks, chunks } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { releaseCampaignGroups } from "../campaign-groups.ts";
import { withoutName } from "../events/quarantined-content.ts";
import { storedRecipientName } from "../hashes/hash-recipient.ts";
import { saveAndPublish } from "../publish.ts";

const rowsPerQuery = 2_000;

/** The minimum of answers and of recipients in a group, for organizations that refuse persons. */
export const namelessMinimum = 10;

/**
 * Replaces the names of one campaign by the hashes that Anonymous tracking stores. Its numbers stay, later events of a
 * recipient find their row, and results from few answers are withheld from then on.
 *
 * @returns whether there may be more
 */
export async function removeNames(scope: Scope, now: number): Promise<boolean> {
  const organization = await lockOrganization(scope);
  const id = await findNamedCampaign(scope);
  if (!organization || id === undefined) return false;
  const [before] = await findCampaigns(scope, [id]);
  const ledgerId = before?.counting?.ledgerId ?? 0;
  const ledger = (await findLedgers(scope, [ledgerId])).get(ledgerId);
  if (!before || !ledger) return false;
  await hashNames(scope, organization, ledger);
  const trackingType = "Anonymous" satisfies TrackingType;
  const after = { ...before, campaign: { ...before.campaign, trackingType } };
  await releaseCampaignGroups(scope, organization, [after], { now, isDue: false });
  await saveAndPublish(scope, organization, [{ before, after }], now);
  return true;
}

async function hashNames(scope: Scope, { secret }: Organization, ledger: Ledger): Promise<void> {
  const secrets = { organization: secret, campaign: ledger.secret };
  const names = (await readNames(scope, ledger.id)).filter((name) => !isForgotten(name));
  const hashOf = (name: string) => storedRecipientName(secrets, "Anonymous", { recipient: name });
  for (const some of chunks(names, rowsPerQuery)) {
    const renamed = some.map((name) => ({ name, newName: hashOf(name) }));
    await renameRecipients(scope, ledger.id, renamed);
  }
}

/** Replaces the recipients of quarantined events by their hashes, which Anonymous campaigns need. */
export async function removeQuarantinedNames(scope: Scope, { secret }: Organization): Promise<void> {
  for await (const some of asyncChunks(readAllQuarantined(scope))) {
    const contents = some.map(({ eventHash, content }) => ({
      eventHash,
      content: withoutName(secret, content),
    }));
    await replaceContents(scope, contents);
  }
}
