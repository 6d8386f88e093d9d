// The filters in the URL of a page: which campaigns it shows, of which period, and with which traffic.

import { type CalendarDate, daysBetween } from "../../../campaign/calendar/calendar-date.ts";
import { parseIsoTimestamp } from "../../../campaign/calendar/iso-timestamp.ts";
import {
  acceptedPeriods,
  comparisons,
  customPeriod,
  type NamedPeriod,
  namedPeriod,
} from "../../../campaign/calendar/period.ts";
import { surveyFilters } from "../../../campaign/campaign-number.ts";
import { trafficFilters } from "../../../campaign/events/traffic.ts";
import { AppError } from "../../../errors.ts";
import { parseTagIds } from "../../../listing/parse-tag-ids.ts";
import { filterQuery } from "../../../listing/sums/filter-query.ts";
import {
  defaultFilters,
  type FilterDefaults,
  type PageFilters,
  todayOf,
} from "../../../listing/sums/page-filters.ts";
import type { Locale } from "../../../locale/locale.ts";
import { quoted } from "../../../locale/quoted.ts";

/** @throws AppError `bad_request` naming the parameter, or the label of a date, the value and the accepted values */
export function parseFilters(locale: Locale, query: URLSearchParams, defaults: FilterDefaults): PageFilters {
  const { t } = locale;
  const preset = defaultFilters(defaults);
  const trimmed = (name: string) => (query.get(name) ?? "").slice(0, 1_000).trim().toWellFormed();
  // Compared exactly as they were sent: whitespace and Unicode normalization matter.
  const exact = (name: string) => query.get(name)?.toWellFormed() || undefined;
  return {
    period: parsePeriod(locale, trimmed, todayOf(defaults)) ?? preset.period,
    compare: parseChoice(locale, t("campaigns.compare"), trimmed("compare"), comparisons) ?? preset.compare,
    team: exact("team"),
    sender: exact("sender"),
    tagIds: parseTagFilter(locale, [...query.getAll("tag_ids"), ...query.getAll("tag_ids[]")]),
    sendingType: exact("sending_type"),
    group: exact("group"),
    surveys: parseChoice(locale, t("pages.surveys"), trimmed("surveys"), surveyFilters),
    traffic:
      parseChoice(locale, t("filters.trafficLabel"), trimmed("traffic"), trafficFilters) ?? preset.traffic,
    search: trimmed("q").normalize("NFC"),
  };
}

/** Filters that were rejected, and why. */
export interface RejectedFilters {
  problem: string;
  query: URLSearchParams;
}

/** The filters of a URL. If one is rejected, those without the dates, or the default ones, apply instead. */
export function readFilters(
  locale: Locale,
  query: URLSearchParams,
  defaults: FilterDefaults,
): { filters: PageFilters; rejected?: RejectedFilters } {
  try {
    return { filters: parseFilters(locale, query, defaults) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "bad_request") throw error;
    const rejected = { problem: error.message, query };
    const others = new URLSearchParams(query);
    for (const name of ["from", "until"]) others.delete(name);
    if (others.size === query.size) return { filters: defaultFilters(defaults), rejected };
    return { filters: readFilters(locale, others, defaults).filters, rejected };
  }
}

/** The query string of the list of the campaigns that match, for the pages of campaigns: without the traffic. */
export function listQuery(filters: PageFilters, defaults: FilterDefaults): URLSearchParams {
  const { compare, traffic } = defaultFilters(defaults);
  return filterQuery({ ...filters, compare, traffic }, defaults);
}

function parsePeriod(
  locale: Locale,
  field: (name: string) => string,
  today: CalendarDate,
): NamedPeriod | undefined {
  const { t, format } = locale;
  const [from, until] = [
    parseDate(locale, "from", field("from")),
    parseDate(locale, "until", field("until")),
  ];
  if (from && until && daysBetween(from, until) < 0) {
    throw new AppError(
      "bad_request",
      t("filters.datesReversed", { from: format.date(from), until: format.date(until) }),
    );
  }
  if (from || until) return customPeriod({ from, until }, today);
  const name = field("period");
  if (name === "") return undefined;
  const period = namedPeriod(name, today);
  if (period) return period;
  throw new AppError(
    "bad_request",
    t("filters.invalidValue", {
      name: t("filters.period"),
      value: quoted(locale, name),
      accepted: acceptedPeriods,
    }),
  );
}

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
export function parseTagFilter(locale: Locale, values: readonly string[]): number[] | undefined {
  return parseTagIds(values, {
    notAnId: (entry) =>
      locale.t("filters.invalidTagId", { name: locale.t("pages.tags"), value: quoted(locale, entry) }),
    tooMany: (max) => locale.t("filters.tooManyTags", { name: locale.t("pages.tags"), max }),
  });
}

function parseDate(locale: Locale, name: "from" | "until", text: string): CalendarDate | undefined {
  if (text === "") return undefined;
  const timestamp = parseIsoTimestamp(text);
  if (timestamp?.kind === "date") return timestamp.date;
  throw new AppError(
    "bad_request",
    locale.t("filters.invalidDate", { name: locale.t(`filters.dates.${name}`), value: quoted(locale, text) }),
  );
}

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
export function parseChoice<Choice extends string>(
  locale: Locale,
  label: string,
  text: string,
  choices: readonly Choice[],
): Choice | undefined {
  if (text === "") return undefined;
  const choice = choices.find((each) => each === text);
  if (choice) return choice;
  throw new AppError(
    "bad_request",
    locale.t("filters.invalidValue", {
      name: label,
      value: quoted(locale, text),
      accepted: choices.join(", "),
    }),
  );
}
