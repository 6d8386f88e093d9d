// The card with the results by team, recipient group, tag or sending type, with a tab for each.

import type { Tag } from "../../../campaign/campaign.ts";
import { rangeOf, type SpreadSums } from "../../../campaign/rate-ranges.ts";
import { coveredRateOf } from "../../../campaign/sum-rates.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { urlWithQuery } from "../filters/filter-bar.ts";
import type { FilterDefaults, PageFilters } from "../filters/filters.ts";
import type { Locale } from "../locale.ts";
import { isolatedText } from "../ui/isolated-text.ts";
import { rateWithRange } from "../ui/rate-with-range.ts";
import { barHeader, columnHeader, numberColumnHeader, renderTable } from "../ui/table.ts";
import { tabs } from "../ui/tabs.ts";
import { tagLabel } from "../ui/tag-label.ts";
import { valueName } from "../value-name.ts";
import { brokenDownRates, type CampaignGroup, type CampaignGroups } from "./overview-numbers.ts";
import { type BreakdownField, type OverviewView, overviewQuery } from "./overview-url.ts";

interface BreakdownRow {
  name: HtmlValue;
  /** The filters that select its campaigns; undefined if none do. */
  filter?: Partial<PageFilters>;
  sums: SpreadSums;
}

export interface OverviewContext {
  locale: Locale;
  view: OverviewView;
  filters: PageFilters;
  defaults: FilterDefaults;
}

/** A tab leads back to the tabs, not to the start of the page. */
const currentTabId = "results-by";

export function breakdown(
  context: OverviewContext,
  groups: CampaignGroups | undefined,
  tags: readonly Tag[],
): Html | false {
  const { by } = context.view;
  if (!by || !groups) return false;
  const rows = groups.shown.flatMap((group) => breakdownRow(context, by, group, tags));
  const numbers = [
    context.locale.t("overview.rates.openRate"),
    context.locale.t("overview.rates.clickRate"),
    context.locale.t("overview.enps"),
  ];
  const headers = [
    columnHeader(context.locale.t(`overview.breakdowns.${by}.column`)),
    ...numbers.map(numberColumnHeader),
  ];
  const cells = rows.map((row) => tableRow(context, row));
  const table = renderTable(context.locale.t(`overview.breakdowns.${by}.title`), headers, cells, {
    hidesCaption: true,
  });
  const notes = [
    rows.length === 0 && context.locale.t("overview.noneSet"),
    by === "group" && rows.length > 0 && context.locale.t("overview.byGroupNote"),
    groups.of > rows.length && context.locale.t("overview.largest", { shown: rows.length, of: groups.of }),
  ];
  const shown = notes.map((note) => note && html`<p class="soft small">${note}</p>`);
  return html`<section class="card"><h2>${context.locale.t(`overview.breakdowns.${by}.title`)}</h2>${fieldTabs(context)}${rows.length > 0 && table}${shown}</section>`;
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

function tableRow(
  { locale, view, filters, defaults }: OverviewContext,
  { name, filter, sums }: BreakdownRow,
): Html {
  const query = filter && String(overviewQuery({ ...filters, ...filter }, view, defaults));
  const linked = query === undefined ? name : html`<a href="/?${query}">${name}</a>`;
  const rateCells = brokenDownRates.map(
    (rate) =>
      html`<td class="number">${rateWithRange(locale, rate, coveredRateOf(sums, rate).rate, rangeOf(sums, rate))}</td>`,
  );
  const count = locale.t("overview.campaignCount", { count: sums.campaigns });
  const header = html`${linked}<span class="visually-hidden">, </span> <span class="soft small">${count}</span>`;
  return html`<tr>${barHeader(coveredRateOf(sums, "openRate").rate, header)}${rateCells}</tr>
`;
}
