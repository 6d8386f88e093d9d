// The card with the results by team, or by tag if all campaigns are of one team: the largest groups of the
// breakdown.

import type { Tag } from "../../../campaign/campaign.ts";
import type { FreshCampaign } from "../../../listing/reports/fresh-campaigns.ts";
import { type BreakdownGroup, largestGroups } from "../../../listing/sums/breakdown-numbers.ts";
import type { FilterOptions } from "../../../listing/sums/filter-options.ts";
import { filterQuery } from "../../../listing/sums/filter-query.ts";
import { type BreakdownField, breakdownFields } from "../../../listing/sums/overview-choices.ts";
import type { OverviewNumbers } from "../../../listing/sums/overview-numbers.ts";
import { type Html, html } from "../../../locale/html.ts";
import { urlWithQuery, webPaths } from "../../../paths.ts";
import { sortRows, usualOrder } from "../breakdown/group-order.ts";
import { groupTable } from "../breakdown/group-table.ts";
import { groupRows } from "../breakdown/read-groups.ts";
import type { OverviewContext } from "./overview-context.ts";

/** Undefined if the organization has nothing to compare. */
export function chooseField({ teams, tags }: FilterOptions): BreakdownField | undefined {
  const values = { team: teams, tag: tags };
  return breakdownFields.find((field) => values[field].length > 1);
}

interface FoundGroups {
  by: BreakdownField;
  groups: readonly BreakdownGroup[];
  fresh: FreshCampaign[];
}

export function groupsCard(
  session: OverviewContext,
  { total }: OverviewNumbers,
  { by, groups, fresh }: FoundGroups,
  tags: readonly Tag[],
): Html {
  const { filters, defaults, t } = session;
  const rows = sortRows(
    groupRows(
      { locale: session, traffic: filters.traffic },
      by,
      { groups: largestGroups(groups), total, fresh },
      tags,
    ),
    usualOrder,
  );
  // A few campaigns that chance favors would be first.
  rows.sort((a, b) => Number(b.standsOut) - Number(a.standsOut));
  const title = t(`overview.breakdowns.${by}.title`);
  const query = new URLSearchParams([
    ...filterQuery(filters, defaults),
    ...(by === "team" ? [] : [["by", by]]),
  ]);
  const all = html`<a href="${urlWithQuery(webPaths.breakdown, query)}">${t(`overview.allGroups.${by}`, { count: groups.length })}</a>`;
  const table = groupTable(session, rows, {
    caption: title,
    columns: ["name", "campaigns", "open_rate", "click_rate", "enps"],
    name: t(`overview.breakdowns.${by}.column`),
  });
  const notes = [
    rows.length === 0 && t("overview.noneSet"),
    groups.length > rows.length && t("overview.largest", { shown: rows.length, of: groups.length }),
  ];
  return html`<section class="card breakdown"><div class="card-head"><h2>${title}</h2>${all}</div>${rows.length > 0 && table}${notes.map((note) => note && html`<p class="soft small">${note}</p>`)}</section>`;
}
