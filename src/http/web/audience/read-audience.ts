// Reads what the page and the file of the audience show: the groups of an attribute over the campaigns that match.

import { type Buckets, startsOf } from "../../../campaign/calendar/buckets.ts";
import type { Sums } from "../../../campaign/sums.ts";
import { bucketsOf, spanOf } from "../../../listing/sums/overview-numbers.ts";
import {
  type AudienceSums,
  findAudienceSums,
  type GroupSums,
} from "../../../storage/audience/audience-sums.ts";
import { type AudienceGroup, listGroups } from "../../../storage/audience/store-groups.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findTotals } from "../../../storage/sums/sum-queries.ts";
import type { FilteredCampaigns } from "../filters/filtered-campaigns.ts";
import type { WebSession } from "../frame/page.ts";
import { chooseAttribute } from "../ui/lists/group-cells.ts";

interface AudienceRow extends AudienceGroup, GroupSums {}

export interface Audience extends Pick<AudienceSums, "withheldRecipients" | "campaigns"> {
  attributes: readonly AudienceGroup[];
  /** The one that is shown; undefined if the organization has none. */
  attribute: AudienceGroup | undefined;
  rows: AudienceRow[];
  /** The length of the parts of the trend. */
  unit: Buckets["unit"];
  /** The sums of all campaigns that match. */
  total: Sums;
}

export async function readAudience(
  scope: Scope,
  { organization: { timeZone } }: WebSession,
  { filter, page }: FilteredCampaigns,
  query: URLSearchParams,
): Promise<Audience> {
  const groups = await listGroups(scope);
  const attributes = groups.filter(({ id, attributeId }) => id === attributeId);
  const attribute = chooseAttribute(attributes, query);
  const totals = await findTotals(scope, filter);
  const buckets = bucketsOf(page.filters, spanOf(totals, timeZone), page.defaults);
  const read = { attributes, attribute, unit: buckets.unit, total: totals.sums };
  if (!attribute) return { ...read, rows: [], withheldRecipients: 0, campaigns: 0 };
  const options = { attributeId: attribute.id, starts: startsOf(buckets, timeZone) };
  const { groups: sums, ...others } = await findAudienceSums(scope, filter, options);
  const rows = groups.flatMap((group) => {
    const own = sums.get(group.id);
    return own ? [{ ...group, ...own }] : [];
  });
  return { ...read, ...others, rows };
}
