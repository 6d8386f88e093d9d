// Tables of the overview: teams, tags, sending types and recipient groups.

import type { Tag } from "../../../campaign/campaign.ts";
import { type CoveredRateName, coveredRateOf } from "../../../campaign/sum-rates.ts";
import type { Sums } from "../../../campaign/sums.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { FilterDefaults, PageFilters } from "../filters/filters.ts";
import type { Locale } from "../locale.ts";
import { numberOrDash } from "../ui/number-or-dash.ts";
import { barCell, columnHeader, numberColumnHeader, renderTable } from "../ui/table.ts";
import { tagLabel } from "../ui/tag-label.ts";
import { valueName } from "../value-name.ts";
import type { CampaignGroups, OverviewNumbers } from "./overview-numbers.ts";
import { overviewQuery, type SubjectRanking } from "./overview-url.ts";

interface BreakdownRow {
  name: HtmlValue;
  /** The filters that select its campaigns; undefined if none do. */
  filter?: Partial<PageFilters>;
  sums: Sums;
}

export interface BreakdownContext {
  locale: Locale;
  ranking: SubjectRanking;
  filters: PageFilters;
  defaults: FilterDefaults;
}

/** A field by which campaigns differ. */
type BreakdownName = "byTeam" | "byTag" | "bySendingType" | "byGroup";

interface BreakdownRows {
  rows: readonly BreakdownRow[];
  /** The number of all rows, also of those that are not shown. */
  of: number;
}

/** A card for each field by which campaigns differ. */
export function breakdowns(
  context: BreakdownContext,
  { byTeam, byTag, bySendingType, byGroup }: OverviewNumbers,
  tags: readonly Tag[],
): Record<BreakdownName, Html | false> {
  const { notSet } = context.locale.strings.overview;
  const { sendingTypes } = context.locale.strings;
  const tagsById = new Map(tags.map((tag) => [tag.id, tag]));
  const tagRows = byTag.shown.flatMap(({ key, sums }) => {
    const tag = tagsById.get(key);
    return tag ? [{ name: tagLabel(tag), filter: { tagIds: [tag.id] }, sums }] : [];
  });
  const nameOf = (field: string, key: string) =>
    field === "sendingType" ? valueName(sendingTypes, key) : key;
  const rowsOf = (field: "team" | "sendingType" | "group", { shown, of }: CampaignGroups<string | null>) => ({
    rows: shown.map(({ key, sums }) =>
      key === null
        ? { name: html`<i>${notSet}</i>`, sums }
        : { name: nameOf(field, key), filter: { [field]: key }, sums },
    ),
    of,
  });
  return {
    byTeam: breakdown(context, "byTeam", rowsOf("team", byTeam)),
    byTag: breakdown(context, "byTag", { rows: tagRows, of: byTag.of }),
    bySendingType: breakdown(context, "bySendingType", rowsOf("sendingType", bySendingType)),
    byGroup: breakdown(context, "byGroup", rowsOf("group", byGroup)),
  };
}

/** False if all campaigns are in one row. */
function breakdown(context: BreakdownContext, by: BreakdownName, { rows, of }: BreakdownRows): Html | false {
  if (rows.length < 2) return false;
  const { rates, enps, columnOf, largest, byGroupNote, [by]: title } = context.locale.strings.overview;
  const numbers = [rates.openRate, rates.clickRate, enps];
  const headers = [columnHeader(columnOf[by]), ...numbers.map(numberColumnHeader)];
  const cells = rows.map((row) => breakdownRow(context, row));
  const table = renderTable(title, headers, cells, { isPinned: true, hidesCaption: true, hasRowLinks: true });
  const notes = [by === "byGroup" && byGroupNote, of > rows.length && largest(rows.length, of)];
  const shown = notes.map((note) => note && html`<p class="soft small">${note}</p>`);
  return card(title, html`${table}${shown}`);
}

function breakdownRow(
  { locale, filters, defaults, ranking }: BreakdownContext,
  { name, filter, sums }: BreakdownRow,
): Html {
  const { campaignCount } = locale.strings.overview;
  const query = filter && String(overviewQuery({ ...filters, ...filter }, ranking, defaults));
  const header = query === undefined ? name : html`<a href="/?${query}">${name}</a>`;
  const open = coveredRateOf(sums, "openRate");
  return html`<tr><th scope="row">${header}<span class="visually-hidden">, </span> <span class="soft small">${campaignCount(sums.campaigns)}</span></th>
${barCell(open.rate, rateText(locale, sums, "openRate"))}
<td class="number">${rateText(locale, sums, "clickRate")}</td>
<td class="number">${rateText(locale, sums, "enpsIndex")}</td></tr>
`;
}

function rateText(locale: Locale, sums: Sums, name: CoveredRateName): HtmlValue {
  const { rate, isTooFew } = coveredRateOf(sums, name);
  if (isTooFew) return locale.strings.overview.tooFew;
  return numberOrDash(locale, name === "enpsIndex" ? "index" : "rate", rate);
}

function card(title: string, table: Html): Html {
  return html`<section class="card"><div class="card-head"><h2>${title}</h2></div>${table}</section>`;
}
