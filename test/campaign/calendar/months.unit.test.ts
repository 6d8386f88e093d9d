// Calendar months.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addMonths } from "../../../src/campaign/calendar/months.ts";

test("adds months across the ends of years in both directions", () => {
  assert.deepEqual(addMonths({ year: 2026, month: 1 }, -1), { year: 2025, month: 12 });
  assert.deepEqual(addMonths({ year: 2026, month: 6 }, -11), { year: 2025, month: 7 });
  assert.deepEqual(addMonths({ year: 2025, month: 12 }, 14), { year: 2027, month: 2 });
});
