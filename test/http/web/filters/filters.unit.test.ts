// The filters in URLs: periods, comparisons, and clean query strings.

import assert from "node:assert/strict";
import test from "node:test";
import { type CalendarDate, isoDay } from "../../../../src/campaign/calendar/calendar-date.ts";
import { comparedSpan, type DateSpan, defaultPeriod } from "../../../../src/campaign/calendar/period.ts";
import { parseFilters } from "../../../../src/http/web/filters/filters.ts";
import { filterQuery } from "../../../../src/listing/sums/filter-query.ts";
import { type FilterDefaults, toCampaignFilter, todayOf } from "../../../../src/listing/sums/page-filters.ts";
import { locales } from "../../../../src/locale/locale.ts";

const at = (time: string) => Date.parse(time);
const timeZone = "America/New_York";
// Still November 23 in New York.
const now = at("2026-11-24T04:00:00Z");
const today = todayOf({ now, timeZone });
const period = defaultPeriod(now, today, timeZone);
const defaults: FilterDefaults = {
  ...{ timeZone, countedTraffic: "people", hasTraffic: true, isEmpty: false, period, now },
};
const parse = (query: string, given: Partial<FilterDefaults> = {}) =>
  parseFilters(locales.en, new URLSearchParams(query), { ...defaults, ...given });
const shown = (span: DateSpan | undefined) => {
  const day = (date: CalendarDate) => isoDay(date);
  return span ? `${day(span.first)} ${day(span.last)}` : "none";
};

test("spans the dates of a period, and compares it with the one before or a year before", () => {
  const cases: [query: string, span: string, previous: string, year: string][] = [
    ["period=7d", "2026-11-17 2026-11-23", "2026-11-10 2026-11-16", "2025-11-17 2025-11-23"],
    ["period=30d", "2026-10-25 2026-11-23", "2026-09-25 2026-10-24", "2025-10-25 2025-11-23"],
    ["period=90d", "2026-08-26 2026-11-23", "2026-05-28 2026-08-25", "2025-08-26 2025-11-23"],
    // Unfinished: compared with as many days.
    ["period=month", "2026-11-01 2026-11-30", "2026-10-01 2026-10-23", "2025-11-01 2025-11-23"],
    ["period=quarter", "2026-10-01 2026-12-31", "2026-07-01 2026-08-23", "2025-10-01 2025-11-23"],
    ["period=year", "2026-01-01 2026-12-31", "2025-01-01 2025-11-23", "2025-01-01 2025-11-23"],
    ["period=12m", "2025-12-01 2026-11-30", "2024-12-01 2025-11-23", "2024-12-01 2025-11-23"],
    ["period=all", "none", "none", "none"],
    ["period=2024", "2024-01-01 2024-12-31", "2023-01-01 2023-12-31", "2023-01-01 2023-12-31"],
    ["period=2024-Q1", "2024-01-01 2024-03-31", "2023-10-01 2023-12-31", "2023-01-01 2023-03-31"],
    ["period=2024-02", "2024-02-01 2024-02-29", "2024-01-01 2024-01-31", "2023-02-01 2023-02-28"],
    ["period=2027-01", "2027-01-01 2027-01-31", "none", "none"],
    ["period=0001", "0001-01-01 0001-12-31", "none", "none"],
    [
      "from=2024-02-29&until=2024-03-01",
      "2024-02-29 2024-03-01",
      "2024-02-27 2024-02-28",
      "2023-02-28 2023-03-01",
    ],
    ["from=2026-11-01", "2026-11-01 2026-11-23", "2026-10-09 2026-10-31", "2025-11-01 2025-11-23"],
    ["from=2026-12-24", "2026-12-24 2026-12-24", "none", "none"],
    ["until=2024-01-31", "0001-01-01 2024-01-31", "none", "none"],
  ];
  for (const [query, span, previous, year] of cases) {
    const { period } = parse(query);
    assert.equal(shown(period.span), span, query);
    assert.equal(shown(comparedSpan(period, "previous", today)), previous, `${query}, previous`);
    assert.equal(shown(comparedSpan(period, "year", today)), year, `${query}, year`);
    assert.equal(comparedSpan(period, "none", today), undefined);
  }
});

test("starts with the last 90 days, or with the year of the last campaign", () => {
  const cases: [lastSentAt: number | undefined, name: string][] = [
    [undefined, "90d"],
    [at("2026-08-26T04:00:00Z"), "90d"],
    [at("2026-08-26T03:59:59Z"), "2026"],
    [at("2024-01-01T04:59:59Z"), "2023"],
  ];
  for (const [lastSentAt, name] of cases) {
    assert.equal(defaultPeriod(lastSentAt, today, timeZone).name, name);
  }
});

test("writes the filters that differ from the defaults, and reads the same ones again", () => {
  const cases: [query: string, written: string][] = [
    ["", ""],
    ["period=90d&compare=previous&traffic=people&team=&q=+", ""],
    ["period=2026-Q3&compare=year&traffic=all", "period=2026-Q3&compare=year&traffic=all"],
    ["from=2026-01-01&period=7d", "from=2026-01-01"],
    ["until=2026-01-01", "until=2026-01-01"],
    ["surveys=rated", "surveys=rated"],
    ["tag_ids=2&tag_ids=1&tag_ids%5B%5D=02", "tag_ids=2%2C1"],
    [
      "team=+A&sender=a%40b&group=Sales%2C+EU&sending_type=x&q=%C3%9Cber",
      "team=+A&sender=a%40b&sending_type=x&group=Sales%2C+EU&q=%C3%9Cber",
    ],
  ];
  for (const [query, written] of cases) {
    const filters = parse(query);
    assert.equal(String(filterQuery(filters, defaults)), written, query);
    assert.deepEqual(parse(written), filters, query);
  }
  assert.equal(String(filterQuery(parse("traffic=all"), { ...defaults, countedTraffic: "all" })), "");
});

test("selects campaigns from midnight to midnight, whatever the time is", () => {
  const filterOf = (query: string) => toCampaignFilter(parse(query), defaults);
  assert.deepEqual(
    filterOf("period=2026-03&team=A&sender=B&tag_ids=7&group=G&surveys=none&sending_type=S&q=News"),
    {
      sentFrom: at("2026-03-01T05:00:00Z"),
      // Daylight saving time has begun.
      sentUntil: at("2026-04-01T04:00:00Z"),
      ...{
        team: "A",
        sender: "B",
        tagIds: [7],
        group: "G",
        surveys: "none",
        sendingType: "S",
        subject: "News",
      },
    },
  );
  // Scheduled campaigns have no sums. What was published by a clock that was ahead is in the feed, and here too.
  assert.equal(filterOf("period=2026-11").sentUntil, at("2026-12-01T05:00:00Z"));
  const { sentFrom, sentUntil } = filterOf("period=all");
  assert.deepEqual([sentFrom, sentUntil], [undefined, undefined]);
});

test("refuses values that are not accepted, naming them", () => {
  const cases: [query: string, message: RegExp][] = [
    [
      "period=2-months",
      /^Period: "2-months" is not accepted; use one of 7d, 30d, .*, all, YYYY, YYYY-Qn, YYYY-MM\.$/,
    ],
    ["period=0000", /^Period: "0000"/],
    ["period=2024-13", /^Period: "2024-13"/],
    ["period=constructor", /^Period: "constructor"/],
    ["compare=other", /^Compare: "other" is not accepted; use one of previous, year, none\.$/],
    ["traffic=x", /^Activity: "x" is not accepted; use one of people, all\.$/],
    ["surveys=all", /^Surveys: "all" is not accepted; use one of rated, some, none\.$/],
    ["from=2026-02-30", /^From: "2026-02-30" is not a date; use YYYY-MM-DD/],
    ["from=2026-02-02&until=2026-02-01", /^From: Feb 2, 2026 is later than Until: Feb 1, 2026\./],
  ];
  for (const [query, message] of cases) {
    assert.throws(() => parse(query), { code: "bad_request", message }, query);
  }
});
