// The filters in the URL of a page: which campaigns it shows.

import { type CalendarDate, nextDay, startOfDay } from "../../../campaign/calendar/calendar-date.ts";
import { parseIsoTimestamp } from "../../../campaign/calendar/iso-timestamp.ts";
import { addMonths, type Month, monthAt, startOfMonth } from "../../../campaign/calendar/months.ts";
import { quote } from "../../../campaign/quote.ts";
import { AppError } from "../../../errors.ts";
import { parseTagIds } from "../../../listing/parse-tag-ids.ts";
import type { ReportFilter } from "../../../listing/reports/search-campaigns.ts";
import { teamKeyOf } from "../../../storage/campaigns/teams.ts";
import type { Locale } from "../locale.ts";

/** The months of each named time range, by its value in the URL. */
const rangeMonths = { "3-months": 3, "12-months": 12, all: undefined };
export type TimeRange = keyof typeof rangeMonths;
export const timeRanges = Object.keys(rangeMonths) as TimeRange[];

/** The filters as text, as in the URL and in the form; empty if not set. */
export interface FilterFields {
  range: string;
  sentAfter: string;
  sentBefore: string;
  team: string;
  tagIds: readonly string[];
}

export interface Filters extends ReportFilter {
  fields: FilterFields;
  /** The first and the last month of a range of months. */
  months?: { first: Month; last: Month } | undefined;
}

export function readFilterFields(query: URLSearchParams): FilterFields {
  const field = (name: string) => (query.get(name) ?? "").slice(0, 1_000).trim().toWellFormed();
  return {
    range: field("range"),
    sentAfter: field("sent_after"),
    sentBefore: field("sent_before"),
    // Teams are compared exactly as they were sent: whitespace and Unicode normalization matter.
    team: (query.get("team") ?? "").toWellFormed(),
    tagIds: [...query.getAll("tag_ids"), ...query.getAll("tag_ids[]")],
  };
}

/** The query string of the filters. Dates take precedence over a range. */
export function filterQuery({ range, sentAfter, sentBefore, team, tagIds }: FilterFields): URLSearchParams {
  const query = new URLSearchParams();
  const add = (name: string, value: string) => value !== "" && query.set(name, value);
  if (sentAfter === "" && sentBefore === "") add("range", range);
  add("sent_after", sentAfter);
  add("sent_before", sentBefore);
  add("team", team);
  add("tag_ids", tagIds.join(","));
  return query;
}

/**
 * @param options.timeZone the time zone of the organization, in which days and months begin
 * @param options.defaultRange the range if neither dates nor a range are set
 * @throws AppError `bad_request` naming the field, the value and the accepted values
 */
export function parseFilters(
  locale: Locale,
  query: URLSearchParams,
  { timeZone, now, defaultRange }: { timeZone: string; now: number; defaultRange: TimeRange },
): Filters {
  const { strings, format } = locale;
  const fields = readFilterFields(query);
  const tagIds = parseTagIds(fields.tagIds);
  const team = fields.team === "" ? undefined : teamKeyOf(fields.team);
  const after = parseDate(locale, strings.campaigns.from, fields.sentAfter);
  const before = parseDate(locale, strings.campaigns.until, fields.sentBefore);
  const range = parseRange(locale, fields.range) ?? defaultRange;
  const normalized = { ...fields, tagIds: tagIds?.map(String) ?? [] };
  if (after || before) {
    if (after && before && startOfDay(after, "UTC") > startOfDay(before, "UTC")) {
      throw new AppError(
        "bad_request",
        strings.campaigns.datesReversed(format.date(after), format.date(before)),
      );
    }
    const sentFrom = after && startOfDay(after, timeZone);
    const sentUntil = before && startOfDay(nextDay(before), timeZone);
    return { fields: { ...normalized, range: "" }, team, selection: { sentFrom, sentUntil, tagIds } };
  }
  const length = rangeMonths[range];
  if (length === undefined) return { fields: { ...normalized, range }, team, selection: { tagIds } };
  const last = monthAt(now, timeZone);
  const first = addMonths(last, 1 - length);
  const sentFrom = startOfMonth(first, timeZone);
  return { fields: { ...normalized, range }, team, months: { first, last }, selection: { sentFrom, tagIds } };
}

function parseRange({ strings }: Locale, text: string): TimeRange | undefined {
  if (text === "") return undefined;
  const range = timeRanges.find((each) => each === text);
  if (range) return range;
  throw new AppError("bad_request", strings.campaigns.invalidRange(quote(text), timeRanges.join(", ")));
}

function parseDate({ strings }: Locale, label: string, text: string): CalendarDate | undefined {
  if (text === "") return undefined;
  const timestamp = parseIsoTimestamp(text);
  if (timestamp?.kind === "date") return timestamp.date;
  throw new AppError("bad_request", strings.campaigns.invalidDate(label, quote(text)));
}
