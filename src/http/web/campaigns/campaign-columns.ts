// The columns of the campaigns table: what each shows, how it sorts, and what its foot says of all campaigns.

import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import { compareTags } from "../../../campaign/campaign.ts";
import { isCount, type NumberName, numberOf, rangedRate } from "../../../campaign/campaign-number.ts";
import { campaignRange } from "../../../campaign/campaign-rates.ts";
import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import type { Ranged } from "../../../campaign/ranges.ts";
import { rangeOf } from "../../../campaign/rate-ranges.ts";
import { type CoveredRateName, coveredRateOf } from "../../../campaign/sum-rates.ts";
import { ofTraffic } from "../../../campaign/sums.ts";
import type { SortKey } from "../../../listing/sums/campaign-values.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import type { MetricChange } from "../../../locale/rate-difference.ts";
import { methodOfRate, type NumberMethod } from "../../../locale/rate-text.ts";
import type { NameIn } from "../../../locale/translations.ts";
import { kindOf, type StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { CampaignTotals } from "../../../storage/sums/sum-queries.ts";
import { csvTime } from "../frame/csv-file.ts";
import { barCell, cellLabel } from "../ui/lists/table.ts";
import { renderChange } from "../ui/numbers/key-metrics.ts";
import { numberOrDash, withheldText } from "../ui/numbers/number-or-dash.ts";
import { rateWithRange } from "../ui/numbers/rate-with-range.ts";
import { seriesLink, tagLink } from "../ui/texts/series-link.ts";

/** A text, which takes no part in totals. */
interface ShownText {
  sort?: SortKey;
  /** What the header of a file says behind the title. */
  unit?(shown: ShownWith): string;
  /** The cell in a file. */
  text(stored: StoredCampaign, shown: ShownWith): string | null;
  cell(stored: StoredCampaign, label: Html, shown: ShownWith): Html;
}

/** A number of each campaign. Counts add up; the total of rates is a rate over all campaigns. */
interface ShownNumber {
  number: NumberName;
}

type ShownColumn = ShownText | ShownNumber;

export interface ShownWith {
  locale: Locale;
  timeZone: string;
  traffic: TrafficFilter;
  /** Leaves the year of this time out of days. */
  now?: number;
}

const columns = {
  sent_at: {
    sort: "sent_at",
    unit: ({ timeZone }) => timeZone,
    text: ({ campaign }, { timeZone }) => csvTime(campaign.sentAt, timeZone),
    cell: ({ campaign }, label, { locale, ...day }) =>
      html`<td class="time"${label}>${sentOn(campaign.sentAt, day, locale)}</td>`,
  },
  team: {
    sort: "team",
    text: ({ campaign }) => campaign.team,
    cell: ({ campaign }, label) => html`<td class="team"${label}>${seriesLink("team", campaign.team)}</td>`,
  },
  tags: {
    text: ({ tags }) =>
      tags
        .toSorted(compareTags)
        .map(({ name }) => name)
        .join("; "),
    cell: ({ tags }, label) =>
      html`<td class="labels"${label}>${tags.toSorted(compareTags).map(tagLink)}</td>`,
  },
  recipients: { number: "recipient_count" },
  open_rate: { number: "openRate" },
  click_rate: { number: "clickRate" },
  click_to_open_rate: { number: "clickToOpenRate" },
  opens: { number: "unique_opens" },
  clicks: { number: "unique_clicks" },
  read_time: { number: "readShare" },
  enps: { number: "enpsIndex" },
  average_rating: { number: "enpsMean" },
  comments: { number: "comments_count" },
  devices: { number: "desktopShare" },
  delivery_rate: { number: "delivery_rate" },
  bounce_rate: { number: "bounce_rate" },
  unsubscribe_rate: { number: "unsubscribe_rate" },
  complaint_rate: { number: "complaint_rate" },
  open_rate_of_delivered: { number: "open_rate_of_delivered" },
  kind: {
    sort: "kind",
    text: (stored, { locale }) => locale.t(`campaigns.kinds.${kindOf(stored)}`),
    cell: (stored, label, { locale }) =>
      html`<td${label}>${locale.t(`campaigns.kinds.${kindOf(stored)}`)}</td>`,
  },
} satisfies Record<string, ShownColumn>;

/** The day; the time of day only on hover, because a column with both takes the room of two. */
export function sentOn(
  sentAt: number,
  { timeZone, now = 0 }: Pick<ShownWith, "timeZone" | "now">,
  { format }: Locale,
): Html {
  const date = dateAt(sentAt, timeZone);
  const day = date.year === dateAt(now, timeZone).year ? format.shortDate(date) : format.date(date);
  return html`<time datetime="${new Date(sentAt).toISOString()}" title="${format.dateTime(sentAt, timeZone)}">${day}</time>`;
}

/** A column by its name in the URL. */
export type ColumnName = keyof typeof columns;
export const columnNames = Object.keys(columns) as ColumnName[];
export const defaultColumns: readonly ColumnName[] = ["sent_at", "team", "tags", "open_rate", "click_rate"];

/** What the list can be sorted by. A campaign has several tags, so they have no order. */
export type SortName = "subject" | ColumnName;
export const sortNames: readonly SortName[] = ["subject", ...columnNames.filter((name) => name !== "tags")];

export const columnOf = (name: ColumnName): ShownColumn => columns[name];

export function isNumberColumn(name: SortName): boolean {
  return name !== "subject" && !("cell" in columnOf(name));
}

/** Whether its numbers are percentages, which have a bar. */
export function isRateColumn(name: ColumnName): boolean {
  const column = columnOf(name);
  return "number" in column && methodOf(column.number) === "rate";
}

/** What a column sorts by. */
export function sortKeyOf(name: SortName): SortKey {
  if (name === "subject") return "subject";
  const column = columnOf(name);
  if ("number" in column) return column.number;
  return column.sort ?? "sent_at";
}

export function columnTitle({ t }: Locale, name: SortName): string {
  return isNamedAsColumn(name) ? t(`campaigns.columns.${name}`) : t(`numbers.${columns[name].number}`);
}

/** Other columns have the name of their number. That of the click-to-open rate is too long for a column. */
function isNamedAsColumn(name: SortName): name is NameIn<"campaigns.columns"> {
  return name === "click_to_open_rate" || !isNumberColumn(name);
}

/** A number as pages write it. */
interface WrittenNumber extends Ranged {
  text: string;
}

/** The number of a campaign in a column; null if it has none, undefined for a text. */
export function columnNumber(
  name: ColumnName,
  stored: StoredCampaign,
  { locale, traffic }: ShownWith,
): WrittenNumber | null | undefined {
  const column = columnOf(name);
  if ("cell" in column) return undefined;
  const { number } = column;
  const ranged = isCount(number)
    ? exact(numberOf(stored, traffic, number))
    : rangedRate(stored, traffic, number);
  return ranged && { ...ranged, text: locale.format[methodOf(number)](ranged.value) };
}

const exact = (value: number | null): Ranged | null =>
  value === null ? null : { value, low: value, high: value };

/** Whether a campaign has a number or a text in a column, or one that is withheld. */
export function hasValue(name: ColumnName, stored: StoredCampaign, shown: ShownWith): boolean {
  const column = columnOf(name);
  if ("cell" in column) return Boolean(column.text(stored, shown));
  const isWithheld = "number" in column && withheldText(shown.locale, stored, column.number) !== undefined;
  return isWithheld || columnNumber(name, stored, shown) !== null;
}

export const methodOf = (name: NumberName): NumberMethod => (isCount(name) ? "count" : methodOfRate(name));

/** The cell of a campaign. @param mark beside the number, or below it if the cell is narrow */
export function campaignCell(
  name: ColumnName,
  stored: StoredCampaign,
  shown: ShownWith,
  mark: HtmlValue = false,
): Html {
  const column = columnOf(name);
  const title = columnTitle(shown.locale, name);
  if ("cell" in column) return column.cell(stored, cellLabel(title), shown);
  const { number } = column;
  const value = numberOf(stored, shown.traffic, number);
  const text =
    isCount(number) || value === null
      ? numberOrDash(shown.locale, methodOf(number), value, withheldText(shown.locale, stored, number))
      : rateWithRange(shown.locale, number, value, campaignRange(ofTraffic(stored, shown.traffic), number));
  return columnCell(number, value, withMark(text, mark), title);
}

export const withMark = (text: HtmlValue, mark: HtmlValue): HtmlValue =>
  mark === false ? text : html`<div class="marked"><span>${text}</span> ${mark}</div>`;

/** Prints the reference of the comparison too, which otherwise is a tooltip. */
export const printedChange = ({ comparedWith, ...change }: MetricChange): Html =>
  html`${renderChange(change)} <span class="soft">${comparedWith}</span>`;

/** The cell of all selected campaigns together. */
export function totalCell(name: ColumnName, totals: CampaignTotals, { locale }: ShownWith): Html {
  const column = columnOf(name);
  const title = columnTitle(locale, name);
  if ("cell" in column) return html`<td></td>`;
  const { number } = column;
  if (isCount(number)) {
    const total = totals.counts[number];
    const note = number === "recipient_count" && html`<small>${locale.t("campaigns.emailsSent")}</small>`;
    return columnCell(number, total, html`${numberOrDash(locale, methodOf(number), total)}${note}`, title);
  }
  const { rate, from, of } = coveredRateOf(totals.sums, number);
  const note =
    from < of &&
    html`<small title="${locale.t("campaigns.notWeighted")}">${locale.t("campaigns.coverage", { from, of })}</small>`;
  const text = rateWithRange(locale, number, rate, rangeOf(totals.sums, number));
  return columnCell(number, rate, html`${text}${note}`, title);
}

function columnCell(name: NumberName, number: number | null, text: HtmlValue, title: string): Html {
  return methodOf(name) === "rate"
    ? barCell(number, text, title)
    : html`<td class="number"${cellLabel(title)}>${text}</td>`;
}

/** The rates that some columns show, which have ranges. */
export function shownRates(names: readonly ColumnName[]): CoveredRateName[] {
  return names.flatMap((name) => rateInColumn(name) ?? []);
}

/** The rate of each campaign that a column shows; undefined for counts and texts. */
export function rateInColumn(name: ColumnName): CoveredRateName | undefined {
  const column = columnOf(name);
  return "number" in column && !isCount(column.number) ? column.number : undefined;
}
