// Reads the links of the campaigns that match, for the page and its file.

import { type ClickedLink, countClicks, findTopLinks } from "../../../storage/campaigns/campaign-links.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findNewestIds, findTotals } from "../../../storage/sums/sum-queries.ts";
import { countedOf } from "../../../storage/sums/sums-filter.ts";
import type { FilteredCampaigns } from "../filters/filtered-campaigns.ts";

/** Older campaigns are left out: reading all would take too long. */
const maxCampaigns = 1_000;
const linksShown = 100;

export interface FoundLinks {
  /** The campaigns that are read, newest first, and how many match. */
  ids: number[];
  of: number;
  /** The most clicked ones first, by the traffic that the page shows. */
  links: ClickedLink[];
  /** How many URLs are left out. */
  others: number;
  /** The clicks of all links together. */
  total: { people: number; all: number };
}

export async function readLinks(scope: Scope, found: FilteredCampaigns): Promise<FoundLinks> {
  const { traffic } = found.page.filters;
  const ids = await findNewestIds(scope, countedOf(found.filter), maxCampaigns);
  const { sums } = await findTotals(scope, found.filter);
  const links = await findTopLinks(scope, { campaignIds: ids, traffic, limit: linksShown });
  const { urls, ...total } = await countClicks(scope, ids);
  return { ids, of: sums.countedCampaigns, links, total, others: urls - links.length };
}
