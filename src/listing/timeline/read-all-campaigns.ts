// Reads every campaign of an organization, in the order of records, in batches.

import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { findIndexEntries, type IndexEntry } from "../../storage/campaigns/index-entries.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { type Queries, rowsPerStatement } from "../../storage/database.ts";

/** Includes scheduled campaigns. Consistent if `queries` is one transaction. */
export async function* readAllCampaigns(
  queries: Queries,
  organizationId: number,
): AsyncGenerator<StoredCampaign> {
  for (let after: IndexEntry | undefined; ; ) {
    const entries = await findIndexEntries(queries, organizationId, { after, limit: rowsPerStatement });
    if (entries.length === 0) return;
    const ids = entries.map(({ id }) => id);
    const found = await findCampaigns(queries, organizationId, ids);
    const byId = new Map(found.map((stored) => [stored.campaign.id, stored]));
    for (const id of ids) {
      const stored = byId.get(id);
      if (stored) yield stored;
    }
    after = entries.at(-1);
  }
}
