// Hours of local time.

import assert from "node:assert/strict";
import test from "node:test";
import { hourMs } from "../../../src/campaign/calendar/durations.ts";
import { formatHours, startOfHour } from "../../../src/campaign/calendar/hours.ts";

test("names hours by local time, with the offset when two have the same name", () => {
  const hour = (text: string) => Date.parse(text);
  const from = (text: string) => [0, 1, 2, 3].map((index) => hour(text) + index * hourMs);
  assert.deepEqual(formatHours(from("2026-11-01T04:00:00Z"), "America/New_York"), [
    "Nov 1 12 AM",
    "Nov 1 1 AM (UTC−4)",
    "Nov 1 1 AM (UTC−5)",
    "Nov 1 2 AM",
  ]);
  assert.deepEqual(formatHours(from("2026-11-01T02:30:00Z"), "America/St_Johns").slice(1, 3), [
    "Nov 1 1 AM (UTC−2:30)",
    "Nov 1 1 AM (UTC−3:30)",
  ]);
  assert.deepEqual(formatHours(from("2026-10-25T00:00:00Z"), "Europe/London").slice(0, 2), [
    "Oct 25 1 AM (UTC+1)",
    "Oct 25 1 AM (UTC)",
  ]);
  assert.equal(startOfHour(hour("2026-06-14T18:40:00Z"), "Asia/Kolkata"), hour("2026-06-14T18:30:00Z"));
  assert.equal(startOfHour(hour("2026-06-14T18:10:00Z"), "Asia/Kathmandu"), hour("2026-06-14T17:15:00Z"));
});
