// The columns of the campaigns table: what each shows, how it sorts, and what its foot says of all campaigns.

import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import { compareTags } from "../../../campaign/campaign.ts";
import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import { type CoveredRateName, coveredRateOf } from "../../../campaign/sum-rates.ts";
import { addCampaign, emptySums, ofTraffic, type Sums } from "../../../campaign/sums.ts";
import { escapeFormula, formatTags } from "../../../formats/csv.ts";
import { textsOf } from "../../../listing/numbers/number-fields.ts";
import type { Selection } from "../../../listing/numbers/select.ts";
import {
  columnValue,
  type NumberColumnName,
  type SortColumn,
  valuesOf,
} from "../../../listing/numbers/sort-selection.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { Strings } from "../strings/en.ts";
import { numberOrDash } from "../ui/number-or-dash.ts";
import { barCell, cellLabel } from "../ui/table.ts";
import { tagLabel } from "../ui/tag-label.ts";

/** A text, which takes no part in totals. */
interface ShownText {
  sort?: SortColumn;
  cell(stored: StoredCampaign, label: Html, shown: ShownWith): Html;
}

/** A number of each campaign. Counts add up; the total of the others is a rate over all campaigns. */
interface ShownNumber {
  number: NumberColumnName;
  unit: "count" | "rate" | "percentage" | "index" | "mean";
  total?: CoveredRateName;
}

export interface ShownWith {
  locale: Locale;
  timeZone: string;
  traffic: TrafficFilter;
}

const columns = {
  sent_at: {
    sort: "sent_at",
    cell: ({ campaign }, label, { locale, timeZone }) =>
      html`<td class="time"${label}>${sentOn(campaign.sentAt, timeZone, locale)}</td>`,
  },
  team: {
    sort: "organization_team",
    cell: ({ campaign }, label) => html`<td class="team"${label}>${campaign.team}</td>`,
  },
  tags: {
    cell: ({ tags }, label) =>
      html`<td class="labels"${label}>${tags.toSorted(compareTags).map(tagLabel)}</td>`,
  },
  recipients: { number: "recipient_count", unit: "count" },
  open_rate: { number: "open_rate", unit: "rate", total: "openRate" },
  click_rate: { number: "click_rate", unit: "rate", total: "clickRate" },
  click_to_open_rate: {
    number: "click_per_unique_open_rate",
    unit: "percentage",
    total: "clickToOpenRate",
  },
  opens: { number: "unique_opens", unit: "count" },
  clicks: { number: "unique_clicks", unit: "count" },
  read_time: { number: "read_time_read", unit: "percentage", total: "readShare" },
  enps: { number: "enps_index", unit: "index", total: "enpsIndex" },
  average_rating: { number: "enps_score_average", unit: "mean", total: "enpsMean" },
  comments: { number: "comments_count", unit: "count" },
  devices: { number: "desktop_open_rate", unit: "percentage", total: "desktopShare" },
  kind: {
    sort: "kind",
    cell: (stored, label, { locale }) =>
      html`<td${label}>${locale.strings.campaigns.kinds[textsOf(stored).kind]}</td>`,
  },
} satisfies Record<string, ShownText | ShownNumber>;

/** The day; the time of day only on hover, because a column with both takes the room of two. */
function sentOn(sentAt: number, timeZone: string, { format }: Locale): Html {
  const day = format.date(dateAt(sentAt, timeZone));
  return html`<time datetime="${new Date(sentAt).toISOString()}" title="${format.dateTime(sentAt, timeZone)}">${day}</time>`;
}

/** A column by its name in the URL. */
export type ColumnName = keyof typeof columns;
export const columnNames = Object.keys(columns) as ColumnName[];
export const defaultColumns: readonly ColumnName[] = [
  "sent_at",
  "team",
  "tags",
  "recipients",
  "open_rate",
  "click_rate",
];

/** What the list can be sorted by. A campaign has several tags, so they have no order. */
export type SortName = "subject" | ColumnName;
export const sortNames: readonly SortName[] = ["subject", ...columnNames.filter((name) => name !== "tags")];

const columnOf = (name: ColumnName): ShownText | ShownNumber => columns[name];

export function isNumberColumn(name: SortName): boolean {
  return name !== "subject" && "number" in columnOf(name);
}

/** The field that a column sorts by. */
export function sortColumnOf(name: SortName): SortColumn {
  if (name === "subject") return "subject";
  const column = columnOf(name);
  return "number" in column ? column.number : (column.sort ?? "sent_at");
}

export function columnTitle({ campaigns }: Strings, name: SortName): string {
  return campaigns.columns[name];
}

export interface ComparedNumber {
  unit: ShownNumber["unit"];
  value: number | null;
}

/** As the campaign's own page has it, with the decimals of shares, which records round. Undefined for a text. */
export function comparedNumber(
  name: ColumnName,
  { campaign, numbers }: StoredCampaign,
  traffic: TrafficFilter,
): ComparedNumber | undefined {
  const column = columnOf(name);
  if (!("number" in column)) return undefined;
  const known = { ...campaign, numbers: ofTraffic(numbers, traffic) };
  const recorded = columnValue(known, column.number);
  if (column.unit !== "percentage" || column.total === undefined) {
    return { unit: column.unit, value: recorded };
  }
  const sums = emptySums();
  addCampaign(sums, known);
  const { rate } = coveredRateOf(sums, column.total);
  return { unit: "rate", value: rate ?? (recorded === null ? null : recorded / 100) };
}

/** The cell of {@link comparedNumber}, or of a text. */
export function comparedCell(
  name: ColumnName,
  stored: StoredCampaign,
  shown: ShownWith,
  note: HtmlValue,
): Html {
  const number = comparedNumber(name, stored, shown.traffic);
  if (!number) return campaignCell(name, stored, shown);
  return valueCell(number.unit, number.value, shown.locale, columnTitle(shown.locale.strings, name), note);
}

/** The cell of a campaign. */
export function campaignCell(name: ColumnName, stored: StoredCampaign, shown: ShownWith): Html {
  const column = columnOf(name);
  const title = columnTitle(shown.locale.strings, name);
  if (!("number" in column)) return column.cell(stored, cellLabel(title), shown);
  const known = { ...stored.campaign, numbers: ofTraffic(stored.numbers, shown.traffic) };
  return valueCell(column.unit, columnValue(known, column.number), shown.locale, title, false);
}

/** The cell of all selected campaigns together. */
export function totalCell(
  name: ColumnName,
  { selection, sums }: { selection: Selection; sums: Sums },
  { locale, traffic }: ShownWith,
): Html {
  const column = columnOf(name);
  const title = columnTitle(locale.strings, name);
  if (!("number" in column)) return html`<td></td>`;
  if (column.total === undefined) {
    const total = sumOf(valuesOf(selection, traffic, column.number));
    const note =
      column.number === "recipient_count" && html`<small>${locale.strings.campaigns.emailsSent}</small>`;
    return valueCell(column.unit, total, locale, title, note);
  }
  const { rate, from, of, isTooFew } = coveredRateOf(sums, column.total);
  const { tooFew, coverage } = locale.strings.campaigns;
  const note = from < of && html`<small>${coverage(from, of)}</small>`;
  if (isTooFew) return html`<td class="number"${cellLabel(title)}>${tooFew}${note}</td>`;
  const isShare = column.unit === "percentage" && rate !== null;
  return valueCell(column.unit, isShare ? 100 * rate : rate, locale, title, note);
}

/** Null without any value. */
function sumOf(values: Float64Array): number | null {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : null;
}

function valueCell(
  unit: ShownNumber["unit"],
  number: number | null,
  locale: Locale,
  title: string,
  note: HtmlValue,
): Html {
  const text = html`${numberOrDash(locale, unit, number)}${note}`;
  if (unit !== "rate" && unit !== "percentage") {
    return html`<td class="number"${cellLabel(title)}>${text}</td>`;
  }
  return barCell(number !== null && unit === "percentage" ? number / 100 : number, text, title);
}

const numberColumns = Object.values<ShownText | ShownNumber>(columns).flatMap((column) =>
  "number" in column ? column.number : [],
);

/** The names of the API, where it has the column. */
export const csvHeader = [
  "id",
  "subject",
  "sent_at",
  "organization_team",
  "tags",
  "kind",
  ...numberColumns,
] as const;

/** A campaign in the order of {@link csvHeader}. Null if a number is not known. */
export function csvCells(stored: StoredCampaign, traffic: TrafficFilter): unknown[] {
  const { campaign, tags } = stored;
  const known = { ...campaign, numbers: ofTraffic(stored.numbers, traffic) };
  return [
    campaign.id,
    escapeFormula(campaign.subject),
    new Date(campaign.sentAt).toISOString(),
    escapeFormula(campaign.team),
    escapeFormula(formatTags(tags.toSorted(compareTags))),
    textsOf(stored).kind,
    ...numberColumns.map((column) => columnValue(known, column)),
  ];
}
