// The hour in which an API key was last used.

import assert from "node:assert/strict";
import test from "node:test";
import { hourRangeFormat } from "../../../../src/http/web/ui/hour-range.ts";

test("formats an hour as a range, across noon, midnight and time zones with half hours", () => {
  const at = (iso: string, timeZone: string) => hourRangeFormat(timeZone)(Date.parse(iso));
  assert.equal(at("2026-01-05T15:00:00Z", "UTC"), "Jan 5, 2026, 3:00 – 4:00 PM");
  assert.equal(at("2026-01-05T11:00:00Z", "UTC"), "Jan 5, 2026, 11:00 AM – 12:00 PM");
  assert.equal(at("2026-01-05T23:00:00Z", "UTC"), "Jan 5, 2026, 11:00 PM – Jan 6, 2026, 12:00 AM");
  assert.equal(at("2026-01-05T12:00:00Z", "Asia/Kolkata"), "Jan 5, 2026, 5:30 – 6:30 PM");
});
