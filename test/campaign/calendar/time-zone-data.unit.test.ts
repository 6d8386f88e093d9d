// Versions of the time zone database as numbers.

import assert from "node:assert/strict";
import test from "node:test";
import { timeZoneDataNumber, timeZoneDataNumbers } from "../../../src/campaign/calendar/time-zone-data.ts";

test("a newer version of the time zone database has a larger number", () => {
  const versions = [undefined, "2024a", "2024b", "2024b1", "2024z", "2025a", "2026c", "2099z9"];
  const numbers = versions.map(timeZoneDataNumber);
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(numbers).size, versions.length);
  assert.ok((numbers.at(-1) ?? 0) < timeZoneDataNumbers);
});

test("rejects a version in another form", () => {
  for (const version of ["", "2026", "26c", "2026cc", "1999a"]) {
    assert.throws(() => timeZoneDataNumber(version), /is not of the form 2026c/, version);
  }
});
