// Reads the links of the campaigns that match, or one of them, for the page and its file.

import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import { newestCounted } from "../../../listing/numbers/newest.ts";
import type {
  ClickedLink,
  ClicksInCampaign,
  MostClickedLinks,
  MostClickedLinksReader,
} from "../../../listing/reports/most-clicked-links.ts";
import type { Organization } from "../../../storage/organizations.ts";
import type { FilteredCampaigns } from "../filters/filtered-campaigns.ts";

/** Older campaigns are left out: reading all would take too long. */
const maxCampaigns = 1_000;

export interface FoundLinks extends Omit<MostClickedLinks, "links"> {
  /** The most clicked ones first, by the traffic that the page shows. */
  links: ClickedLink[];
  /** The newest campaigns that match, up to the limit; links come from the first of them. */
  ids: number[];
  /** How many campaigns match. */
  of: number;
}

export async function readLinks(
  reader: MostClickedLinksReader,
  organization: Organization,
  { selection, page }: FilteredCampaigns,
): Promise<FoundLinks> {
  const { traffic } = page.filters;
  const { ids, of } = newestCounted(selection, maxCampaigns);
  const { links, ...rest } = await reader.read(organization, ids);
  return { ...rest, links: links[traffic], ids, of };
}

interface FoundLink {
  /** In each campaign that has the link, by the clicks of the traffic that the page shows. */
  clicks: ClicksInCampaign[];
  /** How many campaigns were searched: those whose links the list adds up, so the total is the clicks in its row. */
  campaigns: number;
  /** How many campaigns match. */
  of: number;
}

export async function readLink(
  reader: MostClickedLinksReader,
  organization: Organization,
  found: FilteredCampaigns,
  url: string,
): Promise<FoundLink> {
  const { ids, of, campaigns } = await readLinks(reader, organization, found);
  const read = ids.slice(0, campaigns);
  const clicks = await reader.readLink(organization, read, url);
  return { clicks: sortByClicks(clicks, read, found.page.filters.traffic), campaigns, of };
}

/** The most clicks first, and the newest campaign among those with as many. */
function sortByClicks(
  clicks: readonly ClicksInCampaign[],
  newestFirst: readonly number[],
  traffic: TrafficFilter,
): ClicksInCampaign[] {
  const places = new Map(newestFirst.map((id, place) => [id, place]));
  const placeOf = ({ campaignId }: ClicksInCampaign) => places.get(campaignId) ?? 0;
  return clicks.toSorted((a, b) => b[traffic] - a[traffic] || placeOf(a) - placeOf(b));
}
