// Reads the links of the campaigns that match, or one of them, for the page and its file.

import {
  type ClickedLink,
  countClicks,
  findLinksOfCampaigns,
  findTopLinks,
} from "../../../storage/campaigns/campaign-links.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findNewestIds, findTotals } from "../../../storage/sums/sum-queries.ts";
import { countedOf } from "../../../storage/sums/sums-filter.ts";
import type { FilteredCampaigns } from "../filters/filtered-campaigns.ts";

/** Older campaigns are left out: reading all would take too long. */
const maxCampaigns = 1_000;
const linksShown = 100;

/** The campaigns that are read, newest first, and how many match. */
interface ReadCampaigns {
  ids: number[];
  of: number;
}

export interface FoundLinks extends ReadCampaigns {
  /** The most clicked ones first, by the traffic that the page shows. */
  links: ClickedLink[];
  /** How many URLs are left out. */
  others: number;
  /** The clicks of all links together. */
  total: { people: number; all: number };
}

export async function readLinks(scope: Scope, found: FilteredCampaigns): Promise<FoundLinks> {
  const { traffic } = found.page.filters;
  const read = await findCounted(scope, found);
  const links = await findTopLinks(scope, { campaignIds: read.ids, traffic, limit: linksShown });
  const { urls, ...total } = await countClicks(scope, read.ids);
  return { ...read, links, total, others: urls - links.length };
}

/** The clicks of a link in one campaign. */
interface ClicksInCampaign {
  campaignId: number;
  people: number;
  all: number;
}

export interface FoundLink extends ReadCampaigns {
  /** The most clicks of the traffic that the page shows come first, then the newest campaign. */
  clicks: ClicksInCampaign[];
  /** The clicks of that traffic in all of them. */
  total: number;
}

export async function readLink(scope: Scope, found: FilteredCampaigns, url: string): Promise<FoundLink> {
  const { traffic } = found.page.filters;
  const read = await findCounted(scope, found);
  const clicks = await findLinksOfCampaigns(scope, read.ids, url);
  const places = new Map(read.ids.map((campaignId, place) => [campaignId, place]));
  const placeOf = ({ campaignId }: ClicksInCampaign) => places.get(campaignId) ?? 0;
  clicks.sort((a, b) => b[traffic] - a[traffic] || placeOf(a) - placeOf(b));
  return { ...read, clicks, total: clicks.reduce((sum, each) => sum + each[traffic], 0) };
}

async function findCounted(scope: Scope, { filter }: FilteredCampaigns): Promise<ReadCampaigns> {
  const ids = await findNewestIds(scope, countedOf(filter), maxCampaigns);
  const { sums } = await findTotals(scope, filter);
  return { ids, of: sums.countedCampaigns };
}
