// Reads what the page and the file of the audience show: the groups of an attribute over the campaigns that match.

import { comparePeriods, type GroupPeriod } from "../../../campaign/audience/group-periods.ts";
import { divideForTable } from "../../../campaign/calendar/buckets.ts";
import { startOfDay } from "../../../campaign/calendar/calendar-date.ts";
import type { DateSpan } from "../../../campaign/calendar/period.ts";
import type { SpreadSums } from "../../../campaign/rate-ranges.ts";
import { leftOutOf, type Sums } from "../../../campaign/sums.ts";
import { shownSpan, spanOf } from "../../../listing/sums/overview-numbers.ts";
import { type AudienceSums, findAudienceSums } from "../../../storage/audience/audience-sums.ts";
import { type AudienceGroup, listGroups } from "../../../storage/audience/store-groups.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findTotals } from "../../../storage/sums/sum-queries.ts";
import type { FilteredCampaigns } from "../filters/filtered-campaigns.ts";
import { chooseAttribute } from "../ui/lists/group-cells.ts";

interface AudienceRow extends AudienceGroup {
  total: SpreadSums;
  /** One for each span. */
  periods: GroupPeriod[];
}

export interface Audience extends Omit<AudienceSums, "groups" | "matching"> {
  attributes: readonly AudienceGroup[];
  /** The one that is shown; undefined if the organization has none. */
  attribute: AudienceGroup | undefined;
  rows: AudienceRow[];
  /** Values of the attribute without numbers. */
  hidden: AudienceGroup[];
  /** The months or quarters with campaigns, from the first with groups; none if the numbers are provisional. */
  spans: DateSpan[];
  /** The sums of all campaigns that match. */
  total: Sums;
  /** Most of these are still counting, so that they are not left out. Groups have the same campaigns, so the same ages. */
  isProvisional: boolean;
}

export async function readAudience(
  scope: Scope,
  { parameters, filter, page, organization }: FilteredCampaigns,
): Promise<Audience> {
  const { timeZone } = organization;
  const all = await listGroups(scope);
  const attributes = all.filter(({ id, attributeId }) => id === attributeId);
  const attribute = chooseAttribute(attributes, parameters);
  const totals = await findTotals(scope, filter);
  const total = totals.sums;
  const isProvisional = 2 * leftOutOf(total) > total.campaigns;
  const read = { attributes, attribute, total, isProvisional };
  const span = shownSpan(page.filters, spanOf(totals, timeZone), page.defaults);
  if (!attribute || !span) {
    const none = { withheldRecipients: 0, laterRecipients: 0, campaigns: 0 };
    return { ...read, ...none, rows: [], hidden: [], spans: [] };
  }
  const spans = divideForTable(span);
  const {
    groups: sums,
    matching,
    ...others
  } = await findAudienceSums(
    scope,
    { ...filter, isSettled: !isProvisional },
    { attributeId: attribute.id, starts: spans.map(({ first }) => startOfDay(first, timeZone)) },
  );
  const groups = all.filter(({ attributeId }) => attributeId === attribute.id);
  const present = groups.flatMap((group) => {
    const own = sums.get(group.id);
    return own ? [{ group, own }] : [];
  });
  const first = matching.findIndex((_, index) => present.some(({ own }) => own.periods[index]?.campaigns));
  // Months whose campaigns have different ages cannot be compared.
  const isShown = (_: unknown, index: number) => !isProvisional && index >= first && matching[index] !== 0;
  const compared = comparePeriods(
    present.map(({ own }) => own.periods.filter(isShown)),
    matching.filter(isShown),
  );
  const rows = present.map(
    ({ group, own: { total } }, index): AudienceRow => ({ ...group, total, periods: compared[index] ?? [] }),
  );
  return {
    ...read,
    ...others,
    rows,
    hidden: groups.filter(({ id, attributeId }) => id !== attributeId && !sums.has(id)),
    spans: spans.filter(isShown),
  };
}
