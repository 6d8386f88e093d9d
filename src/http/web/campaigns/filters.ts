// Which campaigns a page is about: what stands in its address, read and written again.

import {
  type CalendarDate,
  formatDay,
  nextDay,
  startOfDay,
} from "../../../campaign/calendar/calendar-date.ts";
import { parseIsoTimestamp } from "../../../campaign/calendar/iso-timestamp.ts";
import { addMonths, type Month, monthAt, startOfMonth } from "../../../campaign/calendar/months.ts";
import { quote } from "../../../campaign/quote.ts";
import { AppError } from "../../../errors.ts";
import type { ReportFilter } from "../../../listing/reports/monthly-sums.ts";
import { parseTagIds } from "../../../listing/tag-ids.ts";
import { teamKeyOf } from "../../../storage/campaigns/teams.ts";

/** Times that can be chosen by name. */
export const ranges = {
  "3-months": "Last 3 months",
  "12-months": "Last 12 months",
  all: "All time",
} as const;
type Range = keyof typeof ranges;

const monthsOf: Record<Range, number | undefined> = { "3-months": 3, "12-months": 12, all: undefined };

/** As it stands in the address and in the form; empty where nothing does. */
export interface FilterFields {
  range: string;
  sentAfter: string;
  sentBefore: string;
  team: string;
  tagIds: readonly string[];
}

export interface Filters extends ReportFilter {
  fields: FilterFields;
  /** The first and the last month, where months were chosen. */
  months?: { first: Month; last: Month } | undefined;
}

export function fieldsOf(query: URLSearchParams): FilterFields {
  const field = (name: string) => (query.get(name) ?? "").slice(0, 1_000).trim().toWellFormed();
  return {
    range: field("range"),
    sentAfter: field("sent_after"),
    sentBefore: field("sent_before"),
    // Blanks and the form of characters tell teams apart, as they were given.
    team: (query.get("team") ?? "").toWellFormed(),
    tagIds: [...query.getAll("tag_ids"), ...query.getAll("tag_ids[]")],
  };
}

/** What was chosen, as it stands in an address. Days go before a range. */
export function toQuery({ range, sentAfter, sentBefore, team, tagIds }: FilterFields): URLSearchParams {
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
 * @param timeZone of the organization: days and months are those of its calendar
 * @param rangeDefault where no time is chosen
 * @throws Refusal that names the field, quotes the input and says what is accepted
 */
export function parseFilters(
  query: URLSearchParams,
  { timeZone, now, rangeDefault }: { timeZone: string; now: number; rangeDefault: Range },
): Filters {
  const fields = fieldsOf(query);
  const tagIds = parseTagIds(fields.tagIds);
  const team = fields.team === "" ? undefined : teamKeyOf(fields.team);
  const after = parseDay("From", fields.sentAfter);
  const before = parseDay("Until", fields.sentBefore);
  const range = parseRange(fields.range) ?? rangeDefault;
  const kept = { ...fields, tagIds: tagIds?.map(String) ?? [] };
  if (after || before) {
    const sentFrom = after && startOfDay(after, timeZone);
    const sentUntil = before && startOfDay(nextDay(before), timeZone);
    if (after && before && startOfDay(after, "UTC") > startOfDay(before, "UTC")) {
      throw new AppError(
        "bad_request",
        `From: ${formatDay(after)} is later than Until: ${formatDay(before)}. Exchange them, or leave one out.`,
      );
    }
    return { fields: { ...kept, range: "" }, team, selection: { sentFrom, sentUntil, tagIds } };
  }
  const length = monthsOf[range];
  if (length === undefined) return { fields: { ...kept, range }, team, selection: { tagIds } };
  const last = monthAt(now, timeZone);
  const first = addMonths(last, 1 - length);
  const sentFrom = startOfMonth(first, timeZone);
  return { fields: { ...kept, range }, team, months: { first, last }, selection: { sentFrom, tagIds } };
}

function parseRange(text: string): Range | undefined {
  if (text === "") return undefined;
  if (Object.hasOwn(ranges, text)) return text as Range;
  const known = Object.keys(ranges).join(", ");
  throw new AppError("bad_request", `range: ${quote(text)} is none; use one of ${known}.`);
}

function parseDay(name: "From" | "Until", text: string): CalendarDate | undefined {
  if (text === "") return undefined;
  const timestamp = parseIsoTimestamp(text);
  if (timestamp?.kind === "date") return timestamp.date;
  throw new AppError(
    "bad_request",
    `${name}: ${quote(text)} is not a day; use YYYY-MM-DD, such as 2026-01-31.`,
  );
}
