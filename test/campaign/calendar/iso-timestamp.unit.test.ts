// The ISO-8601 forms that the API accepts.

import assert from "node:assert/strict";
import test from "node:test";
import { parseIsoTimestamp } from "../../../src/campaign/calendar/iso-timestamp.ts";

/** The parsed timestamp as text; undefined if it is rejected. */
function parsed(text: string): string | undefined {
  const timestamp = parseIsoTimestamp(text);
  if (timestamp?.kind === "instant") return new Date(timestamp.at).toISOString();
  return timestamp && `${timestamp.date.year}/${timestamp.date.month}/${timestamp.date.day}`;
}

test("parses a date, a time in UTC and a time with an offset", () => {
  assert.equal(parsed("2026-04-30"), "2026/4/30");
  assert.equal(parsed("2026-04-30T13:45:59Z"), "2026-04-30T13:45:59.000Z");
  assert.equal(parsed("2026-04-30T13:45:59+02:00"), "2026-04-30T11:45:59.000Z");
  assert.equal(parsed("2026-04-30T13:45:59-09:30"), "2026-04-30T23:15:59.000Z");
});

test("truncates fractional seconds to milliseconds", () => {
  assert.equal(parsed("2026-04-30T13:45:59.1Z"), "2026-04-30T13:45:59.100Z");
  assert.equal(parsed("2026-04-30T13:45:59.12Z"), "2026-04-30T13:45:59.120Z");
  assert.equal(parsed("2026-04-30T13:45:59.123Z"), "2026-04-30T13:45:59.123Z");
  assert.equal(parsed("2026-04-30T13:45:59.9999999999Z"), "2026-04-30T13:45:59.999Z");
  assert.equal(parsed("2026-04-30T13:45:59.5-01:00"), "2026-04-30T14:45:59.500Z");
});

test("rejects any other form", () => {
  const rejected = [
    ...["", " ", "yesterday", "2026", "2026-04", "2026-4-3", "20260430", "2026-W18-4", "2026-120"],
    ...[" 2026-04-30", "2026-04-30 ", "2026-04-30\n", "2026-04-30T", "2026-04-30T13:45Z"],
    ...["2026-04-30T13:45:59", "2026-04-30 13:45:59Z", "2026-04-30t13:45:59Z", "2026-04-30T13:45:59z"],
    ...["2026-04-30T13:45:59.Z", "2026-04-30T13:45:59,5Z", "2026-04-30T13:45:59+02"],
    ...["2026-04-30T13:45:59+0200", "2026-04-30T13:45:59 02:00", "2026-04-30T13:45:59Z+02:00"],
    ...["2026-04-30T13:45:59[Europe/Berlin]", "+002026-04-30", "-2026-04-30", "٢٠٢٦-٠٤-٣٠", "1777507200"],
    ...["Jan 1, 2024 9:00 AM"],
  ];
  for (const text of rejected) assert.equal(parsed(text), undefined, JSON.stringify(text));
});

test("rejects dates and times of day that do not exist", () => {
  const real = ["2024-02-29", "2000-02-29", "2026-12-31", "0001-01-01", "9999-12-31"];
  for (const text of real) assert.notEqual(parsed(text), undefined, text);
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
    assert.equal(parsed(text), undefined, text);
    assert.equal(parsed(`${text}T00:00:00Z`), undefined, text);
  }
  for (const time of ["00:00:00", "23:59:59"])
    assert.notEqual(parsed(`2026-01-01T${time}Z`), undefined, time);
  for (const time of ["24:00:00", "25:00:00", "12:60:00", "12:00:60", "99:99:99"]) {
    assert.equal(parsed(`2026-01-01T${time}Z`), undefined, time);
  }
});

test("accepts offsets up to 23:59", () => {
  assert.equal(parsed("2026-01-01T00:00:00+23:59"), "2025-12-31T00:01:00.000Z");
  assert.equal(parsed("2026-01-01T00:00:00-00:00"), "2026-01-01T00:00:00.000Z");
  for (const offset of ["+24:00", "-02:60", "+99:00"]) {
    assert.equal(parsed(`2026-01-01T00:00:00${offset}`), undefined, offset);
  }
});

test("parses the years 1, 99 and 9999", () => {
  assert.equal(parsed("0001-01-01"), "1/1/1");
  assert.equal(parsed("0001-01-01T00:00:00Z"), "0001-01-01T00:00:00.000Z");
  assert.equal(parsed("0099-06-01T00:00:00Z"), "0099-06-01T00:00:00.000Z");
  assert.equal(parsed("9999-12-31T23:59:59.999Z"), "9999-12-31T23:59:59.999Z");
});
