// Reads what the page and the file of the breakdown show.

import { rangedRateOf } from "../../../campaign/rate-ranges.ts";
import { areComparable } from "../../../campaign/sum-rates.ts";
import { type Breakdown, computeBreakdown } from "../../../listing/sums/breakdown-numbers.ts";
import type { BreakdownField } from "../../../listing/sums/overview-choices.ts";
import { listTags } from "../../../storage/tags.ts";
import { filterQuery } from "../../filter-query.ts";
import { type HtmlValue, html } from "../../html.ts";
import { urlWithQuery } from "../filters/filter-bar.ts";
import type { FilteredCampaigns } from "../filters/filtered-campaigns.ts";
import type { Locale } from "../locale.ts";
import type { WebSession } from "../page.ts";
import { differenceFromOthers } from "../ui/difference-from-others.ts";
import { isolate } from "../ui/isolated-text.ts";
import type { WebContext } from "../web-context.ts";
import { nameGroup } from "./group-names.ts";
import type { BreakdownRow } from "./group-order.ts";

/** That all campaigns of a weekday are of one team: its row is the result of this team. */
function onlyTeam({ t }: Locale, teams: ReadonlySet<string | null>): HtmlValue {
  const [team] = teams;
  return (
    teams.size === 1 &&
    typeof team === "string" &&
    html` <span class="soft small">${t("breakdown.onlyTeam", { team: isolate(team) })}</span>`
  );
}

/** The groups of a field. Each links to its overview, where a filter selects its campaigns. */
export function readGroups(
  { database }: Pick<WebContext, "database">,
  { locale, organization }: WebSession,
  { filter, page: { filters, defaults } }: FilteredCampaigns,
  by: BreakdownField,
): Promise<{ breakdown: Breakdown; rows: BreakdownRow[] }> {
  const options = { name: "openRate", traffic: filters.traffic } as const;
  return database.snapshot(async (queries) => {
    const breakdown = await computeBreakdown(queries, organization.id, { filters, filter, by }, defaults);
    const tags = by === "tag" ? await listTags(queries, organization.id) : [];
    const { size: teams } = new Set(breakdown.groups.flatMap((group) => [...group.teams]));
    const rows = breakdown.groups.flatMap(({ key, total, before, trend, ...group }): BreakdownRow[] => {
      const named = nameGroup(locale, by, key, tags);
      if (!named) return [];
      const { name, label, filter: own } = named;
      const url = own && urlWithQuery("/", filterQuery({ ...filters, ...own }, defaults));
      const isCompared = before && areComparable(total, before, options);
      return [
        {
          ...{ name, total, trend, isUnknown: key === null || key === "" },
          ...(by === "weekday" && { position: Number(key) }),
          label: html`${url === undefined ? label : html`<a href="${url}">${label}</a>`}${by === "weekday" && teams > 1 && onlyTeam(locale, group.teams)}${by !== "weekday" && differenceFromOthers(locale, total, { total: breakdown.total, traffic: filters.traffic })}`,
          before: isCompared ? rangedRateOf(before, "openRate") : null,
        },
      ];
    });
    return { breakdown, rows };
  });
}
