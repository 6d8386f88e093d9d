// Calendar months in a time zone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addMonths, monthAt, monthsBetween, startOfMonth } from "../../../src/campaign/calendar/months.ts";

test("finds the month of an instant in local time", () => {
  const turn = Date.UTC(2026, 0, 1);
  assert.deepEqual(monthAt(turn, "UTC"), { year: 2026, month: 1 });
  assert.deepEqual(monthAt(turn - 1, "UTC"), { year: 2025, month: 12 });
  assert.deepEqual(monthAt(turn, "America/New_York"), { year: 2025, month: 12 });
  assert.deepEqual(monthAt(turn - 1, "Asia/Kolkata"), { year: 2026, month: 1 });
  // Daylight saving time: New York is UTC−4, not UTC−5.
  assert.deepEqual(monthAt(Date.parse("2026-07-01T03:59:59.999Z"), "America/New_York"), {
    year: 2026,
    month: 6,
  });
  assert.deepEqual(monthAt(Date.parse("2026-07-01T04:00:00Z"), "America/New_York"), { year: 2026, month: 7 });
});

test("starts a month at its first instant in any time zone", () => {
  for (const zone of [
    "UTC",
    "America/New_York",
    "Europe/Berlin",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "America/Sao_Paulo",
  ]) {
    for (const month of monthsBetween({ year: 2009, month: 10 }, { year: 2020, month: 3 })) {
      const begin = startOfMonth(month, zone);
      assert.deepEqual(monthAt(begin, zone), month, `${zone} ${month.year}-${month.month}`);
      assert.deepEqual(
        monthAt(begin - 1, zone),
        addMonths(month, -1),
        `${zone} ${month.year}-${month.month}`,
      );
    }
  }
});

test("adds months across the ends of years in both directions", () => {
  assert.deepEqual(addMonths({ year: 2026, month: 1 }, -1), { year: 2025, month: 12 });
  assert.deepEqual(addMonths({ year: 2026, month: 6 }, -11), { year: 2025, month: 7 });
  assert.deepEqual(addMonths({ year: 2025, month: 12 }, 14), { year: 2027, month: 2 });
  assert.deepEqual(monthsBetween({ year: 2025, month: 11 }, { year: 2026, month: 2 }), [
    { year: 2025, month: 11 },
    { year: 2025, month: 12 },
    { year: 2026, month: 1 },
    { year: 2026, month: 2 },
  ]);
  assert.deepEqual(monthsBetween({ year: 2026, month: 2 }, { year: 2026, month: 1 }), []);
});
