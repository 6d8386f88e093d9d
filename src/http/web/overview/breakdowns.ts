// Tables of the overview: teams, tags, sending types and recipient groups, and the best and worst subjects.

import { compareTags, type Tag } from "../../../campaign/campaign.ts";
import { type CoveredRateName, coveredRateOf } from "../../../campaign/sum-rates.ts";
import type { Sums } from "../../../campaign/sums.ts";
import type { RankedCampaign } from "../../../listing/numbers/best-and-worst.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { type FilterDefaults, filterQuery, type PageFilters } from "../filters/filters.ts";
import type { Locale } from "../locale.ts";
import { barCell, cellLabel, columnHeader, numberColumnHeader, renderTable } from "../ui/table.ts";
import { tagLabel } from "../ui/tag-label.ts";
import { valueName } from "../value-name.ts";
import type { OverviewNumbers } from "./overview-numbers.ts";

interface BreakdownRow {
  name: HtmlValue;
  /** The filters that select its campaigns; undefined if none do. */
  filter?: Partial<PageFilters>;
  sums: Sums;
}

export interface BreakdownContext {
  locale: Locale;
  filters: PageFilters;
  defaults: FilterDefaults;
}

/** A card for each field by which campaigns differ. */
export function breakdowns(
  context: BreakdownContext,
  numbers: OverviewNumbers,
  tags: readonly Tag[],
): Html[] {
  const { byTeam, byTag, bySendingType, byGroup } = context.locale.strings.overview;
  const { notSet } = context.locale.strings.overview;
  const { sendingTypes } = context.locale.strings;
  const tagsById = new Map(tags.map((tag) => [tag.id, tag]));
  const taggedRows = numbers.byTag.flatMap(({ key, sums }) => {
    const tag = tagsById.get(key);
    return tag ? [{ tag, sums }] : [];
  });
  const rowOf = (field: "team" | "sendingType", key: string | null, sums: Sums): BreakdownRow =>
    key === null
      ? { name: html`<i>${notSet}</i>`, sums }
      : {
          name: field === "sendingType" ? valueName(sendingTypes, key) : key,
          filter: { [field]: key },
          sums,
        };
  return [
    breakdown(
      context,
      byTeam,
      numbers.byTeam.map(({ key, sums }) => rowOf("team", key, sums)),
    ),
    breakdown(
      context,
      byTag,
      taggedRows
        .toSorted((a, b) => b.sums.recipients - a.sums.recipients || compareTags(a.tag, b.tag))
        .map(({ tag, sums }) => ({ name: tagLabel(tag), filter: { tagIds: [tag.id] }, sums })),
    ),
    breakdown(
      context,
      bySendingType,
      numbers.bySendingType.map(({ key, sums }) => rowOf("sendingType", key, sums)),
    ),
    breakdown(
      context,
      byGroup,
      numbers.byGroup.map(({ key, sums }) => ({ name: key, filter: { group: key }, sums })),
    ),
  ].filter((card) => card !== undefined);
}

/** Undefined if all campaigns are in one row. */
function breakdown(
  context: BreakdownContext,
  title: string,
  rows: readonly BreakdownRow[],
): Html | undefined {
  if (rows.length < 2) return undefined;
  const { strings } = context.locale;
  const { rates, enps } = strings.overview;
  const headers = [columnHeader(title), ...[rates.openRate, rates.clickRate, enps].map(numberColumnHeader)];
  const cells = rows.map((row) => breakdownRow(context, row));
  return card(title, renderTable(title, headers, cells, { isStacked: true, hidesCaption: true }));
}

function breakdownRow(
  { locale, filters, defaults }: BreakdownContext,
  { name, filter, sums }: BreakdownRow,
): Html {
  const { campaignCount, rates, enps } = locale.strings.overview;
  const query = filter && String(filterQuery({ ...filters, ...filter }, defaults));
  const header = query === undefined ? name : html`<a href="/?${query}">${name}</a>`;
  const open = coveredRateOf(sums, "openRate");
  return html`<tr><th scope="row">${header} <span class="soft small">${campaignCount(sums.campaigns)}</span></th>
${barCell(open.rate, rateText(locale, sums, "openRate"), rates.openRate)}
<td class="number"${cellLabel(rates.clickRate)}>${rateText(locale, sums, "clickRate")}</td>
<td class="number"${cellLabel(enps)}>${rateText(locale, sums, "enpsIndex")}</td></tr>
`;
}

function rateText({ strings, format }: Locale, sums: Sums, name: CoveredRateName): string {
  const { rate, isTooFew } = coveredRateOf(sums, name);
  if (isTooFew) return strings.overview.tooFew;
  return name === "enpsIndex" ? format.index(rate) : format.rate(rate);
}

/** @param subjects by campaign id, without campaigns that were deleted meanwhile */
export function rankedCampaigns(
  { strings, format }: Locale,
  title: string,
  campaigns: readonly RankedCampaign[],
  subjects: ReadonlyMap<number, string>,
): Html | false {
  const listed = campaigns.filter(({ id }) => subjects.has(id));
  if (listed.length === 0) return false;
  const rows = listed.map(({ id, openRate }) => {
    const subject = subjects.get(id)?.trim() || strings.campaign.untitled;
    return html`<tr><th scope="row" class="text"><a href="/campaigns/${id}">${subject}</a></th>${barCell(openRate, format.rate(openRate), strings.overview.rates.openRate)}</tr>
`;
  });
  const headers = [columnHeader(strings.fields.subject), numberColumnHeader(strings.overview.rates.openRate)];
  return card(title, renderTable(title, headers, rows, { hidesCaption: true }));
}

function card(title: string, table: Html): Html {
  return html`<section class="card"><div class="card-head"><h2>${title}</h2></div>${table}</section>`;
}
