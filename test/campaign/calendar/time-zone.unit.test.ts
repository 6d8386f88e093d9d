// Names of time zones.

import assert from "node:assert/strict";
import test from "node:test";
import { isTimeZone } from "../../../src/campaign/calendar/time-zone.ts";

test("accepts a time zone only by its name in the IANA database", () => {
  for (const name of ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "EST"]) {
    assert.equal(isTimeZone(name), true, name);
  }
  for (const name of ["", "Mars/Olympus", "+02:00", "GMT+02:00", "Z", "Berlin", "Europe/Berlin "]) {
    assert.equal(isTimeZone(name), false, name);
  }
});
