// Reads every campaign of an organization, in the order of the records, without holding them all in memory.

import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { findIndexEntries, type IndexEntry } from "../../storage/campaigns/index-entries.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { type Queries, rowsPerStatement } from "../../storage/database.ts";

/** Of one state of the data when `queries` is one transaction. Campaigns that are still to be sent are among them. */
export async function* readAllCampaigns(
  queries: Queries,
  organizationId: number,
): AsyncGenerator<StoredCampaign> {
  for (let after: IndexEntry | undefined; ; ) {
    const places = await findIndexEntries(queries, organizationId, { after, limit: rowsPerStatement });
    if (places.length === 0) return;
    const ids = places.map(({ id }) => id);
    const found = await findCampaigns(queries, organizationId, ids);
    const byId = new Map(found.map((stored) => [stored.campaign.id, stored]));
    for (const id of ids) {
      const stored = byId.get(id);
      if (stored) yield stored;
    }
    after = places.at(-1);
  }
}
