// The card with the results by team, tag or sending type, with a tab for each.

import type { Tag } from "../../../campaign/campaign.ts";
import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import { othersOf, rangedRateOf, rangeOf, type SpreadSums } from "../../../campaign/rate-ranges.ts";
import { areComparable, coveredRateOf } from "../../../campaign/sum-rates.ts";
import { leftOutOf } from "../../../campaign/sums.ts";
import type { BreakdownField, OverviewView } from "../../../listing/sums/overview-choices.ts";
import {
  brokenDownRates,
  type CampaignGroup,
  type OverviewNumbers,
} from "../../../listing/sums/overview-numbers.ts";
import type { FilterDefaults, PageFilters } from "../../../listing/sums/page-filters.ts";
import { overviewQuery } from "../../filter-query.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { urlWithQuery } from "../filters/filter-bar.ts";
import type { Locale } from "../locale.ts";
import type { SourcesAlert } from "../sources/sources-alert.ts";
import { isolatedText } from "../ui/isolated-text.ts";
import { renderChange } from "../ui/key-metrics.ts";
import { rateDifference } from "../ui/rate-difference.ts";
import { rateWithRange } from "../ui/rate-with-range.ts";
import { barHeader, columnHeader, numberColumnHeader, renderTable } from "../ui/table.ts";
import { tabs } from "../ui/tabs.ts";
import { tagLabel } from "../ui/tag-label.ts";
import { valueName } from "../value-name.ts";

interface BreakdownRow {
  name: HtmlValue;
  /** The filters that select its campaigns; undefined if none do. */
  filter?: Partial<PageFilters>;
  sums: SpreadSums;
}

export interface OverviewContext {
  locale: Locale;
  sourcesAlert: SourcesAlert;
  view: OverviewView;
  filters: PageFilters;
  defaults: FilterDefaults;
}

/** A tab leads back to the tabs, not to the start of the page. */
const currentTabId = "results-by";

export function breakdown(
  context: OverviewContext,
  { groups, total }: Pick<OverviewNumbers, "groups" | "total">,
  tags: readonly Tag[],
): Html | false {
  const { by } = context.view;
  if (!by || !groups) return false;
  const rows = groups.shown.flatMap((group) => breakdownRow(context, by, group, tags));
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
  return html`<section class="card breakdown"><h2>${context.locale.t(`overview.breakdowns.${by}.title`)}</h2>${fieldTabs(context)}${rows.length > 0 && table}${shown}</section>`;
}

function fieldTabs({ locale, view, filters, defaults }: OverviewContext): Html | false {
  if (view.fields.length < 2) return false;
  const items = view.fields.map((by) => ({
    url: `${urlWithQuery("/", overviewQuery(filters, { ...view, by }, defaults))}#${currentTabId}`,
    name: locale.t(`overview.breakdowns.${by}.tab`),
    isCurrent: by === view.by,
  }));
  return tabs(locale.t("overview.breakDownBy"), items, currentTabId);
}

/** Nothing for a tag that was deleted meanwhile. */
function breakdownRow(
  { locale: { t, texts } }: OverviewContext,
  by: BreakdownField,
  { key, sums }: CampaignGroup,
  tags: readonly Tag[],
): BreakdownRow[] {
  if (by === "tag") {
    const tag = tags.find(({ id }) => id === key);
    return tag ? [{ name: tagLabel(tag), filter: { tagIds: [tag.id] }, sums }] : [];
  }
  if (key === null) return [{ name: html`<i>${t("overview.notSet")}</i>`, sums }];
  const value = String(key);
  if (by === "sending_type") {
    return [{ name: valueName(texts("sendingTypes"), value), filter: { sendingType: value }, sums }];
  }
  return [{ name: isolatedText(value), filter: { [by]: value }, sums }];
}

/** How the open rate differs from that of all other campaigns: the ranges of two groups alone do not say whether one is better. */
function differenceFromOthers(
  locale: Locale,
  sums: SpreadSums,
  { total, traffic }: { total: SpreadSums; traffic: TrafficFilter },
): Html | false {
  const name = "openRate";
  const others = othersOf(total, sums);
  const [rate, otherRate] = [rangedRateOf(sums, name), rangedRateOf(others, name)];
  if (!rate || !otherRate || !areComparable(sums, others, { name, traffic })) return false;
  const change = renderChange({
    ...rateDifference(locale, name, rate, otherRate),
    comparedWith: locale.format.rate(otherRate.value),
  });
  return html`<span class="visually-hidden">, </span><div class="vs-usual">${change} <span class="soft">${locale.t("overview.vsOthers")}</span></div>`;
}

function tableRow(
  { locale, view, filters, defaults }: OverviewContext,
  { name, filter, sums }: BreakdownRow,
  total: SpreadSums,
): Html {
  const query = filter && String(overviewQuery({ ...filters, ...filter }, view, defaults));
  const linked = query === undefined ? name : html`<a href="/?${query}">${name}</a>`;
  const rateCells = brokenDownRates.map((name) => {
    const { rate } = coveredRateOf(sums, name);
    const range = rangeOf(sums, name);
    // That of the open rate is printed always: it says which groups may be the same.
    const text = rateWithRange(locale, name, rate, range, { isPrinted: name === "openRate" });
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
