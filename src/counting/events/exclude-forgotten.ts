// Marks excluded events of forgotten recipients, so that nothing of them is quarantined.

import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { findRecipients } from "../../storage/recipients.ts";
import { forgottenNameOf } from "./countable-event.ts";
import type { ExcludedEvent } from "./exclude-events.ts";

/** Sets the reason of such events to `forgotten`. */
export async function excludeForgotten(
  queries: Queries,
  organization: Organization,
  events: readonly ExcludedEvent[],
): Promise<void> {
  const candidates = events.flatMap((excluded) => {
    const { classified, campaign } = excluded;
    const ledger = campaign?.ledger;
    if (!campaign || !ledger) return [];
    const name = forgottenNameOf(organization, classified, { stored: campaign.stored, ledger });
    return name === undefined ? [] : [{ excluded, ledgerId: ledger.id, name }];
  });
  if (candidates.length === 0) return;
  const found = await findRecipients(queries, organization.id, candidates);
  const forgotten = new Set(found.map(({ ledgerId, name }) => `${ledgerId} ${name}`));
  for (const { excluded, ledgerId, name } of candidates) {
    if (forgotten.has(`${ledgerId} ${name}`)) excluded.reason = "forgotten";
  }
}
