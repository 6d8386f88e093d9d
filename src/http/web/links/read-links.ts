// Reads the links of the campaigns that match, for the page and its file.

import { newestCounted } from "../../../listing/numbers/newest.ts";
import type {
  MostClickedLinks,
  MostClickedLinksReader,
} from "../../../listing/reports/most-clicked-links.ts";
import type { Organization } from "../../../storage/organizations.ts";
import type { FilteredCampaigns } from "../filters/filtered-campaigns.ts";

/** Older campaigns are left out: reading all would take too long. */
const maxCampaigns = 1_000;

interface FoundLinks extends MostClickedLinks {
  /** The newest campaigns that match, up to the limit; links come from the first of them. */
  ids: number[];
  /** How many campaigns match. */
  of: number;
}

/** The most clicked links first, by the traffic that the page shows. */
export async function readLinks(
  reader: MostClickedLinksReader,
  organization: Organization,
  { selection, page }: FilteredCampaigns,
): Promise<FoundLinks> {
  const { traffic } = page.filters;
  const { ids, of } = newestCounted(selection, maxCampaigns);
  const { links, ...rest } = await reader.read(organization, ids);
  return { ...rest, links: links.toSorted((a, b) => b[traffic] - a[traffic]), ids, of };
}
