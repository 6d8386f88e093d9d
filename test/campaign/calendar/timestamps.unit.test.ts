// Points in time as text: the three ISO-8601 shapes that are accepted, and the text of `sent_at` in both directions.

import assert from "node:assert/strict";
import test from "node:test";
import {
  formatSentAt,
  parseIsoSentAt,
  parseIsoTimestamp,
  parseSentAt,
} from "../../../src/campaign/calendar/timestamps.ts";

/** What a text means: an instant, a calendar date, or nothing. */
function meaning(text: string): string | undefined {
  const timestamp = parseIsoTimestamp(text);
  if (timestamp?.kind === "instant") return new Date(timestamp.at).toISOString();
  return timestamp && `${timestamp.date.year}/${timestamp.date.month}/${timestamp.date.day}`;
}

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

test("the three shapes of the specification are read: a date, a time in UTC, a time with an offset", () => {
  assert.equal(meaning("2026-04-30"), "2026/4/30");
  assert.equal(meaning("2026-04-30T13:45:59Z"), "2026-04-30T13:45:59.000Z");
  assert.equal(meaning("2026-04-30T13:45:59+02:00"), "2026-04-30T11:45:59.000Z");
  assert.equal(meaning("2026-04-30T13:45:59-09:30"), "2026-04-30T23:15:59.000Z");
});

test("fractions of a second are read, and cut after milliseconds", () => {
  assert.equal(meaning("2026-04-30T13:45:59.1Z"), "2026-04-30T13:45:59.100Z");
  assert.equal(meaning("2026-04-30T13:45:59.12Z"), "2026-04-30T13:45:59.120Z");
  assert.equal(meaning("2026-04-30T13:45:59.123Z"), "2026-04-30T13:45:59.123Z");
  assert.equal(meaning("2026-04-30T13:45:59.9999999999Z"), "2026-04-30T13:45:59.999Z");
  assert.equal(meaning("2026-04-30T13:45:59.5-01:00"), "2026-04-30T14:45:59.500Z");
});

test("any other shape is refused", () => {
  const refused = [
    "",
    " ",
    "yesterday",
    "2026",
    "2026-04",
    "2026-4-3",
    "20260430",
    "2026-W18-4",
    "2026-120",
    " 2026-04-30",
    "2026-04-30 ",
    "2026-04-30\n",
    "2026-04-30T",
    "2026-04-30T13:45Z",
    "2026-04-30T13:45:59",
    "2026-04-30 13:45:59Z",
    "2026-04-30t13:45:59Z",
    "2026-04-30T13:45:59z",
    "2026-04-30T13:45:59.Z",
    "2026-04-30T13:45:59,5Z",
    "2026-04-30T13:45:59+02",
    "2026-04-30T13:45:59+0200",
    "2026-04-30T13:45:59 02:00",
    "2026-04-30T13:45:59Z+02:00",
    "2026-04-30T13:45:59[Europe/Berlin]",
    "+002026-04-30",
    "-2026-04-30",
    "٢٠٢٦-٠٤-٣٠",
    "1777507200",
    "Jan 1, 2024 9:00 AM",
  ];
  for (const text of refused) assert.equal(meaning(text), undefined, JSON.stringify(text));
});

test("only real dates and real times of day are read", () => {
  const real = ["2024-02-29", "2000-02-29", "2026-12-31", "0001-01-01", "9999-12-31"];
  for (const text of real) assert.notEqual(meaning(text), undefined, text);
  const unreal = [
    "2026-02-29",
    "1900-02-29",
    "2026-02-30",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
  ];
  for (const text of unreal) {
    assert.equal(meaning(text), undefined, text);
    assert.equal(meaning(`${text}T00:00:00Z`), undefined, text);
  }
  for (const time of ["00:00:00", "23:59:59"])
    assert.notEqual(meaning(`2026-01-01T${time}Z`), undefined, time);
  for (const time of ["24:00:00", "25:00:00", "12:60:00", "12:00:60", "99:99:99"]) {
    assert.equal(meaning(`2026-01-01T${time}Z`), undefined, time);
  }
});

test("offsets go up to 23:59", () => {
  assert.equal(meaning("2026-01-01T00:00:00+23:59"), "2025-12-31T00:01:00.000Z");
  assert.equal(meaning("2026-01-01T00:00:00-00:00"), "2026-01-01T00:00:00.000Z");
  for (const offset of ["+24:00", "-02:60", "+99:00"]) {
    assert.equal(meaning(`2026-01-01T00:00:00${offset}`), undefined, offset);
  }
});

test("the first, the 99th and the last year of four digits are themselves", () => {
  assert.equal(meaning("0001-01-01"), "1/1/1");
  assert.equal(meaning("0001-01-01T00:00:00Z"), "0001-01-01T00:00:00.000Z");
  assert.equal(meaning("0099-06-01T00:00:00Z"), "0099-06-01T00:00:00.000Z");
  assert.equal(meaning("9999-12-31T23:59:59.999Z"), "9999-12-31T23:59:59.999Z");
  assert.equal(formatSentAt(Date.parse("0099-06-01T15:04:00Z"), "UTC"), "Jun 1, 0099 3:04 PM");
  assert.equal(iso(parseSentAt("Jun 1, 0099 3:04 PM", "UTC")), "0099-06-01T15:04:00.000Z");
  assert.equal(formatSentAt(Date.parse("9999-12-31T23:59:00Z"), "UTC"), "Dec 31, 9999 11:59 PM");
});

test("sent_at has an English month, no leading zeros in day and hour, and an ordinary space before AM or PM", () => {
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

test("sent_at is in the time zone, also where that is another day or no whole hour", () => {
  const at = Date.UTC(2024, 11, 31, 20, 0, 59, 999);
  assert.equal(formatSentAt(at, "Europe/Berlin"), "Dec 31, 2024 9:00 PM");
  assert.equal(formatSentAt(at, "Asia/Kathmandu"), "Jan 1, 2025 1:45 AM");
  assert.equal(formatSentAt(at, "America/St_Johns"), "Dec 31, 2024 4:30 PM");
  assert.equal(formatSentAt(at, "Pacific/Kiritimati"), "Jan 1, 2025 10:00 AM");
});

test("the text of sent_at is read back, in any case and with any one space", () => {
  const expected = "2024-01-05T15:04:00.000Z";
  for (const text of ["Jan 5, 2024 3:04 PM", "jan 05, 2024 03:04 pm", "JAN 5, 2024 3:04\u202fPM"]) {
    assert.equal(iso(parseSentAt(text, "UTC")), expected, text);
  }
  assert.equal(iso(parseSentAt("Jan 5, 2024 12:00 AM", "UTC")), "2024-01-05T00:00:00.000Z");
  assert.equal(iso(parseSentAt("Jan 5, 2024 12:00 PM", "UTC")), "2024-01-05T12:00:00.000Z");
  assert.equal(iso(parseSentAt("Jul 5, 2024 9:00 AM", "America/New_York")), "2024-07-05T13:00:00.000Z");
});

test("what is not quite the text of sent_at is refused", () => {
  const refused = [
    "",
    "Jan 5, 2024",
    "January 5, 2024 3:04 PM",
    "Jxn 5, 2024 3:04 PM",
    "5 Jan 2024 3:04 PM",
    "Jan 5 2024 3:04 PM",
    "Jan 5, 24 3:04 PM",
    "Feb 30, 2024 3:04 PM",
    "Jan 0, 2024 3:04 PM",
    "Jan 5, 2024 0:04 AM",
    "Jan 5, 2024 13:04 PM",
    "Jan 5, 2024 3:60 PM",
    "Jan 5, 2024 3:4 PM",
    "Jan 5, 2024 3:04:05 PM",
    "Jan 5, 2024 3:04",
    "Jan 5, 2024 3:04 PM UTC",
  ];
  for (const text of refused) assert.equal(parseSentAt(text, "UTC"), undefined, text);
});

test("an import takes ISO-8601 without an offset as well: a time of the zone, or the start of a day there", () => {
  assert.equal(iso(parseIsoSentAt("2024-07-01T09:00:00", "Europe/Berlin")), "2024-07-01T07:00:00.000Z");
  assert.equal(iso(parseIsoSentAt("2024-07-01T09:00:00.25", "Europe/Berlin")), "2024-07-01T07:00:00.250Z");
  assert.equal(iso(parseIsoSentAt("2024-07-01", "Europe/Berlin")), "2024-06-30T22:00:00.000Z");
  assert.equal(iso(parseIsoSentAt("2024-07-01T09:00:00Z", "Europe/Berlin")), "2024-07-01T09:00:00.000Z");
  // As spreadsheets write it: a space for the T, and no seconds.
  assert.equal(iso(parseIsoSentAt("2024-07-01T09:00", "Europe/Berlin")), "2024-07-01T07:00:00.000Z");
  assert.equal(iso(parseIsoSentAt("2024-07-01 09:00", "Europe/Berlin")), "2024-07-01T07:00:00.000Z");
  assert.equal(iso(parseIsoSentAt("2024-07-01 09:00:30", "Europe/Berlin")), "2024-07-01T07:00:30.000Z");
  assert.equal(iso(parseIsoSentAt("2024-07-01T09:00Z", "Europe/Berlin")), "2024-07-01T09:00:00.000Z");
  assert.equal(iso(parseIsoSentAt("2024-07-01 09:00+05:30", "Europe/Berlin")), "2024-07-01T03:30:00.000Z");
  for (const text of ["2024-07-01 9:00", "2024-07-01  09:00", "2024-07-01T09", "1/7/2024 09:00", "09:00"]) {
    assert.equal(parseIsoSentAt(text, "Europe/Berlin"), undefined, text);
  }
});
