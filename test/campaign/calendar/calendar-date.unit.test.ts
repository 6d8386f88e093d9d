// Calendar dates in a time zone, above all on days when clocks change.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { isoDay, isRealDate, nextDay, startOfDay } from "../../../src/campaign/calendar/calendar-date.ts";
import { formatSentAt } from "../../../src/campaign/calendar/sent-at.ts";
import { anyInstant, anyZone } from "../../support/any-instant.ts";
import { randomCases } from "../../support/random-cases.ts";

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

/** The start of a day, in UTC and in local time. */
function start(day: string, timeZone: string): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const at = startOfDay({ year, month, day: date }, timeZone);
  return `${iso(at)} = ${formatSentAt(at, timeZone)}`;
}

test("starts a day at midnight in its time zone", () => {
  assert.equal(start("2026-06-15", "UTC"), "2026-06-15T00:00:00.000Z = Jun 15, 2026 12:00 AM");
  assert.equal(start("2026-06-15", "Asia/Tokyo"), "2026-06-14T15:00:00.000Z = Jun 15, 2026 12:00 AM");
  assert.equal(start("2026-01-15", "America/New_York"), "2026-01-15T05:00:00.000Z = Jan 15, 2026 12:00 AM");
});

test("gives a day 23 or 25 hours when clocks change", () => {
  assert.equal(start("2026-03-29", "Europe/Berlin"), "2026-03-28T23:00:00.000Z = Mar 29, 2026 12:00 AM");
  assert.equal(start("2026-03-30", "Europe/Berlin"), "2026-03-29T22:00:00.000Z = Mar 30, 2026 12:00 AM");
  assert.equal(start("2026-10-25", "Europe/Berlin"), "2026-10-24T22:00:00.000Z = Oct 25, 2026 12:00 AM");
  assert.equal(start("2026-10-26", "Europe/Berlin"), "2026-10-25T23:00:00.000Z = Oct 26, 2026 12:00 AM");
});

test("starts a day after the jump when clocks skip midnight", () => {
  assert.equal(start("2018-11-04", "America/Sao_Paulo"), "2018-11-04T03:00:00.000Z = Nov 4, 2018 1:00 AM");
  assert.equal(start("2018-11-05", "America/Sao_Paulo"), "2018-11-05T02:00:00.000Z = Nov 5, 2018 12:00 AM");
  assert.equal(start("2024-04-26", "Africa/Cairo"), "2024-04-25T22:00:00.000Z = Apr 26, 2024 1:00 AM");
});

test("starts a day at 12:30 AM when clocks jump from 11:30 PM to 12:30 AM", () => {
  assert.equal(start("1919-03-31", "America/Toronto"), "1919-03-31T04:30:00.000Z = Mar 31, 1919 12:30 AM");
});

test("starts and ends a skipped date with the next date", () => {
  const next = "2011-12-30T10:00:00.000Z = Dec 31, 2011 12:00 AM";
  assert.equal(start("2011-12-29", "Pacific/Apia"), "2011-12-29T10:00:00.000Z = Dec 29, 2011 12:00 AM");
  assert.equal(start("2011-12-30", "Pacific/Apia"), next);
  assert.equal(start("2011-12-31", "Pacific/Apia"), next);
});

test("starts a day at the earlier midnight when clocks go back across midnight", () => {
  assert.equal(start("2006-10-29", "America/St_Johns"), "2006-10-29T02:30:00.000Z = Oct 29, 2006 12:00 AM");
});

test("gives the previous day an extra hour when clocks go back at midnight", () => {
  assert.equal(start("2018-02-18", "America/Sao_Paulo"), "2018-02-18T03:00:00.000Z = Feb 18, 2018 12:00 AM");
  assert.equal(start("2024-11-01", "Africa/Cairo"), "2024-10-31T22:00:00.000Z = Nov 1, 2024 12:00 AM");
});

test("starts days in the years 1, 99 and 9999", () => {
  assert.equal(start("0001-01-01", "UTC"), "0001-01-01T00:00:00.000Z = Jan 1, 0001 12:00 AM");
  assert.equal(start("0099-12-31", "UTC"), "0099-12-31T00:00:00.000Z = Dec 31, 0099 12:00 AM");
  assert.equal(start("9999-12-31", "Asia/Tokyo"), "9999-12-30T15:00:00.000Z = Dec 31, 9999 12:00 AM");
});

test("rolls over to the next month or year after its last day", () => {
  assert.deepEqual(nextDay({ year: 2026, month: 6, day: 15 }), { year: 2026, month: 6, day: 16 });
  assert.deepEqual(nextDay({ year: 2024, month: 2, day: 28 }), { year: 2024, month: 2, day: 29 });
  assert.deepEqual(nextDay({ year: 2026, month: 2, day: 28 }), { year: 2026, month: 3, day: 1 });
  assert.deepEqual(nextDay({ year: 99, month: 12, day: 31 }), { year: 100, month: 1, day: 1 });
});

test("puts every instant between the start of its day and the start of the next, in any time zone", () => {
  const property = fc.property(anyInstant, anyZone, (at, timeZone) => {
    const date = dateOf(at, timeZone);
    const [from, until] = [startOfDay(date, timeZone), startOfDay(nextDay(date), timeZone)];
    assert.ok(from <= at && at < until, `${iso(at)} in ${timeZone}: ${iso(from)} to ${iso(until)}`);
    assert.deepEqual(dateOf(from, timeZone), date);
  });
  fc.assert(property, { numRuns: randomCases(300) });
});

/** The local date, computed independently of the code under test. */
function dateOf(at: number, timeZone: string) {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return { year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0 };
}

test("accepts exactly the days that a calendar has", () => {
  for (const year of [1900, 2000, 2023, 2024, 2100]) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const date = { year, month, day };
        const isReal = isoDay(date) === new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
        assert.equal(isRealDate(date), isReal, isoDay(date));
      }
    }
  }
});
