// The card with the results by team, or by tag or sending type if all campaigns are of one team.

import type { Tag } from "../../../campaign/campaign.ts";
import { rangeOf, type SpreadSums } from "../../../campaign/rate-ranges.ts";
import { coveredRateOf } from "../../../campaign/sum-rates.ts";
import { leftOutOf } from "../../../campaign/sums.ts";
import type { OverviewView } from "../../../listing/sums/overview-choices.ts";
import {
  brokenDownRates,
  type CampaignGroup,
  type OverviewNumbers,
} from "../../../listing/sums/overview-numbers.ts";
import type { FilterDefaults, PageFilters } from "../../../listing/sums/page-filters.ts";
import type { Annotation } from "../../../storage/annotations.ts";
import { filterQuery, overviewQuery } from "../../filter-query.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import { type GroupName, nameGroup } from "../breakdown/group-names.ts";
import { urlWithQuery } from "../filters/filter-bar.ts";
import type { Locale } from "../locale.ts";
import type { SourcesAlert } from "../sources/sources-alert.ts";
import { changeFromOthers, differenceFromOthers } from "../ui/difference-from-others.ts";
import { rateWithRange } from "../ui/rate-with-range.ts";
import { barHeader, columnHeader, numberColumnHeader, renderTable } from "../ui/table.ts";
import { cardFields } from "./overview-url.ts";

export interface OverviewContext {
  locale: Locale;
  sourcesAlert: SourcesAlert;
  view: OverviewView;
  filters: PageFilters;
  defaults: FilterDefaults;
  annotations: readonly Annotation[];
  isAdmin: boolean;
}

export function breakdown(
  context: OverviewContext,
  { groups, total }: Pick<OverviewNumbers, "groups" | "total">,
  tags: readonly Tag[],
): Html | false {
  const by = cardFields.find((field) => field === context.view.by);
  if (!by || !groups) return false;
  const rows = groups.shown.flatMap((group) => {
    const named = nameGroup(context.locale, by, group.key, tags);
    return named ? [{ ...named, sums: group.sums }] : [];
  });
  const { traffic } = context.filters;
  const isSure = ({ sums }: Pick<CampaignGroup, "sums">) =>
    (changeFromOthers(context.locale, sums, { total, traffic })?.direction ?? "flat") !== "flat";
  // A few campaigns that chance favors would be first.
  rows.sort((one, other) => Number(isSure(other)) - Number(isSure(one)));
  const numbers = [
    context.locale.t("overview.rates.openRate"),
    context.locale.t("overview.rates.clickRate"),
    context.locale.t("overview.rates.enpsIndex"),
  ];
  const headers = [
    columnHeader(context.locale.t(`overview.breakdowns.${by}.column`)),
    ...numbers.map(numberColumnHeader),
  ];
  const cells = rows.map((row) => tableRow(context, row, total));
  const table = renderTable(context.locale.t(`overview.breakdowns.${by}.title`), headers, cells, {
    hidesCaption: true,
  });
  const notes = [
    rows.length === 0 && context.locale.t("overview.noneSet"),
    groups.of > rows.length && context.locale.t("overview.largest", { shown: rows.length, of: groups.of }),
  ];
  const shown = notes.map((note) => note && html`<p class="soft small">${note}</p>`);
  const { filters, defaults } = context;
  const query = new URLSearchParams([
    ...filterQuery(filters, defaults),
    ...(by === "team" ? [] : [["by", by]]),
  ]);
  const all = html`<a href="${urlWithQuery(paths.web.breakdown, query)}">${context.locale.t(`overview.allGroups.${by}`, { count: groups.of })}</a>`;
  return html`<section class="card breakdown"><div class="card-head"><h2>${context.locale.t(`overview.breakdowns.${by}.title`)}</h2>${all}</div>${rows.length > 0 && table}${shown}</section>`;
}

function tableRow(
  { locale, view, filters, defaults }: OverviewContext,
  { label, filter, sums }: Pick<GroupName, "label" | "filter"> & Pick<CampaignGroup, "sums">,
  total: SpreadSums,
): Html {
  const query = filter && String(overviewQuery({ ...filters, ...filter }, view, defaults));
  const linked = query === undefined ? label : html`<a href="/?${query}">${label}</a>`;
  const rateCells = brokenDownRates.map((name) => {
    const { rate } = coveredRateOf(sums, name);
    const text = rateWithRange(locale, name, rate, rangeOf(sums, name), { isPrinted: true });
    return html`<td class="number">${text}</td>`;
  });
  const { t } = locale;
  const leftOut = leftOutOf(sums);
  const count = t("overview.campaignCount", { count: sums.campaigns });
  const fresh =
    leftOut > 0 &&
    html`<span class="soft">,</span> <span class="soft small">${t("overview.ofThemCounting", { count: leftOut })}</span>`;
  const header = html`${linked}<span class="visually-hidden">, </span> <span class="soft small">${count}</span>${fresh}${differenceFromOthers(locale, sums, { total, traffic: filters.traffic })}`;
  return html`<tr>${barHeader(null, header)}${rateCells}</tr>
`;
}
