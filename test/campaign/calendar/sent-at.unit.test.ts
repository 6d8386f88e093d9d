// The text of `sent_at`: formatted, parsed back, and read from ISO-8601 in imports.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { parseSentAt } from "../../../src/campaign/calendar/exported-time.ts";
import { formatSentAt, parseIsoSentAt } from "../../../src/campaign/calendar/sent-at.ts";
import { anyInstant, anyZone } from "../../support/any-instant.ts";
import { randomCases } from "../../support/random-cases.ts";

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

test("formats sent_at with an English month, no leading zeros and an ordinary space before AM or PM", () => {
  const text = formatSentAt(Date.UTC(2024, 0, 5, 15, 4), "UTC");
  assert.equal(text, "Jan 5, 2024 3:04 PM");
  assert.equal(text.charCodeAt(text.length - 3), 0x20);
  const texts = [0, 1, 11, 12, 13, 23].map((hour) => formatSentAt(Date.UTC(2024, 9, 31, hour, 30), "UTC"));
  assert.deepEqual(texts, [
    "Oct 31, 2024 12:30 AM",
    "Oct 31, 2024 1:30 AM",
    "Oct 31, 2024 11:30 AM",
    "Oct 31, 2024 12:30 PM",
    "Oct 31, 2024 1:30 PM",
    "Oct 31, 2024 11:30 PM",
  ]);
  const months = Array.from({ length: 12 }, (_, month) =>
    formatSentAt(Date.UTC(2024, month), "UTC").slice(0, 3),
  );
  assert.equal(months.join(" "), "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec");
});

test("formats sent_at in the time zone, even if that is another day or not a whole hour from UTC", () => {
  const at = Date.UTC(2024, 11, 31, 20, 0, 59, 999);
  assert.equal(formatSentAt(at, "Europe/Berlin"), "Dec 31, 2024 9:00 PM");
  assert.equal(formatSentAt(at, "Asia/Kathmandu"), "Jan 1, 2025 1:45 AM");
  assert.equal(formatSentAt(at, "America/St_Johns"), "Dec 31, 2024 4:30 PM");
  assert.equal(formatSentAt(at, "Pacific/Kiritimati"), "Jan 1, 2025 10:00 AM");
});

test("parses sent_at in any letter case and with any single space before AM or PM", () => {
  const expected = "2024-01-05T15:04:00.000Z";
  for (const text of ["Jan 5, 2024 3:04 PM", "jan 05, 2024 03:04 pm", "JAN 5, 2024 3:04\u202fPM"]) {
    assert.equal(iso(parseSentAt(text, "UTC")), expected, text);
  }
  assert.equal(iso(parseSentAt("Jan 5, 2024 12:00 AM", "UTC")), "2024-01-05T00:00:00.000Z");
  assert.equal(iso(parseSentAt("Jan 5, 2024 12:00 PM", "UTC")), "2024-01-05T12:00:00.000Z");
  assert.equal(iso(parseSentAt("Jul 5, 2024 9:00 AM", "America/New_York")), "2024-07-05T13:00:00.000Z");
});

test("rejects text that only resembles sent_at", () => {
  const rejected = [
    ...["", "Jan 5, 2024", "January 5, 2024 3:04 PM", "Jxn 5, 2024 3:04 PM", "5 Jan 2024 3:04 PM"],
    ...["Jan 5 2024 3:04 PM", "Jan 5, 24 3:04 PM", "Feb 30, 2024 3:04 PM", "Jan 0, 2024 3:04 PM"],
    ...["Jan 5, 2024 0:04 AM", "Jan 5, 2024 13:04 PM", "Jan 5, 2024 3:60 PM", "Jan 5, 2024 3:4 PM"],
    ...["Jan 5, 2024 3:04:05 PM", "Jan 5, 2024 3:04", "Jan 5, 2024 3:04 PM UTC"],
  ];
  for (const text of rejected) assert.equal(parseSentAt(text, "UTC"), undefined, text);
});

test("resolves a local time that occurs twice to the earlier instant", () => {
  assert.equal(iso(parseSentAt("Oct 25, 2026 2:30 AM", "Europe/Berlin")), "2026-10-25T00:30:00.000Z");
  assert.equal(iso(parseSentAt("Nov 1, 2026 1:59 AM", "America/New_York")), "2026-11-01T05:59:00.000Z");
});

test("moves a local time that never occurs forward by the gap", () => {
  const moved = parseSentAt("Mar 29, 2026 2:30 AM", "Europe/Berlin");
  assert.equal(iso(moved), "2026-03-29T01:30:00.000Z");
  assert.equal(formatSentAt(moved ?? 0, "Europe/Berlin"), "Mar 29, 2026 3:30 AM");
  assert.equal(iso(parseSentAt("Dec 30, 2011 12:00 PM", "Pacific/Apia")), "2011-12-30T22:00:00.000Z");
});

test("parses ISO-8601 without an offset as local time, and a date as the start of that day", () => {
  assert.equal(iso(parseIsoSentAt("2024-07-01T09:00:00", "Europe/Berlin")), "2024-07-01T07:00:00.000Z");
  assert.equal(iso(parseIsoSentAt("2024-07-01T09:00:00.25", "Europe/Berlin")), "2024-07-01T07:00:00.250Z");
  assert.equal(iso(parseIsoSentAt("2024-07-01", "Europe/Berlin")), "2024-06-30T22:00:00.000Z");
  assert.equal(iso(parseIsoSentAt("2024-07-01T09:00:00Z", "Europe/Berlin")), "2024-07-01T09:00:00.000Z");
  // Spreadsheets write a space instead of the T, and no seconds.
  assert.equal(iso(parseIsoSentAt("2024-07-01T09:00", "Europe/Berlin")), "2024-07-01T07:00:00.000Z");
  assert.equal(iso(parseIsoSentAt("2024-07-01 09:00", "Europe/Berlin")), "2024-07-01T07:00:00.000Z");
  assert.equal(iso(parseIsoSentAt("2024-07-01 09:00:30", "Europe/Berlin")), "2024-07-01T07:00:30.000Z");
  assert.equal(iso(parseIsoSentAt("2024-07-01T09:00Z", "Europe/Berlin")), "2024-07-01T09:00:00.000Z");
  assert.equal(iso(parseIsoSentAt("2024-07-01 09:00+05:30", "Europe/Berlin")), "2024-07-01T03:30:00.000Z");
  for (const text of ["2024-07-01 9:00", "2024-07-01  09:00", "2024-07-01T09", "1/7/2024 09:00", "09:00"]) {
    assert.equal(parseIsoSentAt(text, "Europe/Berlin"), undefined, text);
  }
});

test("formats and parses sent_at in the years 99 and 9999", () => {
  assert.equal(formatSentAt(Date.parse("0099-06-01T15:04:00Z"), "UTC"), "Jun 1, 0099 3:04 PM");
  assert.equal(iso(parseSentAt("Jun 1, 0099 3:04 PM", "UTC")), "0099-06-01T15:04:00.000Z");
  assert.equal(formatSentAt(Date.parse("9999-12-31T23:59:00Z"), "UTC"), "Dec 31, 9999 11:59 PM");
});

test("parses any formatted sent_at into an instant that formats the same, in any time zone", () => {
  const property = fc.property(anyInstant, anyZone, (at, timeZone) => {
    const text = formatSentAt(at, timeZone);
    assert.equal(formatSentAt(parseSentAt(text, timeZone) ?? Number.NaN, timeZone), text);
  });
  fc.assert(property, { numRuns: randomCases(300) });
});
