// The calendar of a time zone: when its days begin, and what its clocks mean where they are changed.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import {
  formatSentAt,
  isTimeZone,
  nextDay,
  parseSentAt,
  startOfDay,
} from "../../../src/campaign/calendar/timestamps.ts";

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

/** The start of a day, as an instant and as the clocks there show it. */
function start(day: string, timeZone: string): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const at = startOfDay({ year, month, day: date }, timeZone);
  return `${iso(at)} = ${formatSentAt(at, timeZone)}`;
}

test("a day begins at midnight of its time zone", () => {
  assert.equal(start("2026-06-15", "UTC"), "2026-06-15T00:00:00.000Z = Jun 15, 2026 12:00 AM");
  assert.equal(start("2026-06-15", "Asia/Tokyo"), "2026-06-14T15:00:00.000Z = Jun 15, 2026 12:00 AM");
  assert.equal(start("2026-01-15", "America/New_York"), "2026-01-15T05:00:00.000Z = Jan 15, 2026 12:00 AM");
});

test("days on which clocks change have 23 or 25 hours", () => {
  assert.equal(start("2026-03-29", "Europe/Berlin"), "2026-03-28T23:00:00.000Z = Mar 29, 2026 12:00 AM");
  assert.equal(start("2026-03-30", "Europe/Berlin"), "2026-03-29T22:00:00.000Z = Mar 30, 2026 12:00 AM");
  assert.equal(start("2026-10-25", "Europe/Berlin"), "2026-10-24T22:00:00.000Z = Oct 25, 2026 12:00 AM");
  assert.equal(start("2026-10-26", "Europe/Berlin"), "2026-10-25T23:00:00.000Z = Oct 26, 2026 12:00 AM");
});

test("where clocks jump at midnight, the day begins when they have jumped", () => {
  assert.equal(start("2018-11-04", "America/Sao_Paulo"), "2018-11-04T03:00:00.000Z = Nov 4, 2018 1:00 AM");
  assert.equal(start("2018-11-05", "America/Sao_Paulo"), "2018-11-05T02:00:00.000Z = Nov 5, 2018 12:00 AM");
  assert.equal(start("2024-04-26", "Africa/Cairo"), "2024-04-25T22:00:00.000Z = Apr 26, 2024 1:00 AM");
});

test("where clocks jump over midnight from the half hour before, the day begins at the half hour after", () => {
  assert.equal(start("1919-03-31", "America/Toronto"), "1919-03-31T04:30:00.000Z = Mar 31, 1919 12:30 AM");
});

test("a day that a zone skipped begins, and ends, with the next one", () => {
  const next = "2011-12-30T10:00:00.000Z = Dec 31, 2011 12:00 AM";
  assert.equal(start("2011-12-29", "Pacific/Apia"), "2011-12-29T10:00:00.000Z = Dec 29, 2011 12:00 AM");
  assert.equal(start("2011-12-30", "Pacific/Apia"), next);
  assert.equal(start("2011-12-31", "Pacific/Apia"), next);
});

test("where clocks are set back over midnight, the day begins at the first of its two midnights", () => {
  assert.equal(start("2006-10-29", "America/St_Johns"), "2006-10-29T02:30:00.000Z = Oct 29, 2006 12:00 AM");
});

test("where clocks are set back at midnight, the day before lasts an hour longer", () => {
  assert.equal(start("2018-02-18", "America/Sao_Paulo"), "2018-02-18T03:00:00.000Z = Feb 18, 2018 12:00 AM");
  assert.equal(start("2024-11-01", "Africa/Cairo"), "2024-10-31T22:00:00.000Z = Nov 1, 2024 12:00 AM");
});

test("the first and the last year of four digits have days as well", () => {
  assert.equal(start("0001-01-01", "UTC"), "0001-01-01T00:00:00.000Z = Jan 1, 0001 12:00 AM");
  assert.equal(start("0099-12-31", "UTC"), "0099-12-31T00:00:00.000Z = Dec 31, 0099 12:00 AM");
  assert.equal(start("9999-12-31", "Asia/Tokyo"), "9999-12-30T15:00:00.000Z = Dec 31, 9999 12:00 AM");
});

test("the day after the last of a month or a year is the first of the next", () => {
  assert.deepEqual(nextDay({ year: 2026, month: 6, day: 15 }), { year: 2026, month: 6, day: 16 });
  assert.deepEqual(nextDay({ year: 2024, month: 2, day: 28 }), { year: 2024, month: 2, day: 29 });
  assert.deepEqual(nextDay({ year: 2026, month: 2, day: 28 }), { year: 2026, month: 3, day: 1 });
  assert.deepEqual(nextDay({ year: 99, month: 12, day: 31 }), { year: 100, month: 1, day: 1 });
});

test("a time that occurs twice means the earlier instant", () => {
  assert.equal(iso(parseSentAt("Oct 25, 2026 2:30 AM", "Europe/Berlin")), "2026-10-25T00:30:00.000Z");
  assert.equal(iso(parseSentAt("Nov 1, 2026 1:59 AM", "America/New_York")), "2026-11-01T05:59:00.000Z");
});

test("a time that never occurs is moved forward by the gap", () => {
  const moved = parseSentAt("Mar 29, 2026 2:30 AM", "Europe/Berlin");
  assert.equal(iso(moved), "2026-03-29T01:30:00.000Z");
  assert.equal(formatSentAt(moved ?? 0, "Europe/Berlin"), "Mar 29, 2026 3:30 AM");
  assert.equal(iso(parseSentAt("Dec 30, 2011 12:00 PM", "Pacific/Apia")), "2011-12-30T22:00:00.000Z");
});

test("a time zone has a name of the IANA database", () => {
  for (const name of ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "EST"]) {
    assert.equal(isTimeZone(name), true, name);
  }
  for (const name of ["", "Mars/Olympus", "+02:00", "GMT+02:00", "Z", "Berlin", "Europe/Berlin "]) {
    assert.equal(isTimeZone(name), false, name);
  }
});

const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Sao_Paulo",
  "Africa/Cairo",
  "Asia/Kathmandu",
  "Asia/Tehran",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Antarctica/Troll",
];
const anyZone = fc.constantFrom(...zones);
const anyInstant = fc.integer({ min: Date.UTC(1900), max: Date.UTC(2050) });

test("whatever the instant and the zone, the text of sent_at is read back as an instant of the same text", () => {
  fc.assert(
    fc.property(anyInstant, anyZone, (at, timeZone) => {
      const text = formatSentAt(at, timeZone);
      assert.equal(formatSentAt(parseSentAt(text, timeZone) ?? Number.NaN, timeZone), text);
    }),
    { numRuns: 3_000 },
  );
});

test("whatever the instant and the zone, it lies between the start of its day and the start of the next", () => {
  fc.assert(
    fc.property(anyInstant, anyZone, (at, timeZone) => {
      const date = dateOf(at, timeZone);
      const [from, until] = [startOfDay(date, timeZone), startOfDay(nextDay(date), timeZone)];
      assert.ok(from <= at && at < until, `${iso(at)} in ${timeZone}: ${iso(from)} to ${iso(until)}`);
      assert.deepEqual(dateOf(from, timeZone), date);
    }),
    { numRuns: 3_000 },
  );
});

/** The date that the clocks of a zone show, found without our own calendar. */
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
