// Hours of local time.

import assert from "node:assert/strict";
import test from "node:test";
import { startOfHour } from "../../../src/campaign/calendar/hours.ts";

test("starts hours by local clocks, also in zones that are not whole hours from UTC", () => {
  const hour = (text: string) => Date.parse(text);
  assert.equal(startOfHour(hour("2026-06-14T18:40:00Z"), "Asia/Kolkata"), hour("2026-06-14T18:30:00Z"));
  assert.equal(startOfHour(hour("2026-06-14T18:10:00Z"), "Asia/Kathmandu"), hour("2026-06-14T17:15:00Z"));
});
