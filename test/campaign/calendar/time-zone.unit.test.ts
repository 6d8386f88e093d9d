// Names of time zones.

import assert from "node:assert/strict";
import test from "node:test";
import { hourMs } from "../../../src/campaign/calendar/durations.ts";
import { isTimeZone, listTimeZones } from "../../../src/campaign/calendar/time-zone.ts";
import { pick } from "../../support/pick.ts";

test("accepts a time zone only by its name in the IANA database", () => {
  for (const name of ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "EST"]) {
    assert.equal(isTimeZone(name), true, name);
  }
  for (const name of ["", "Mars/Olympus", "+02:00", "GMT+02:00", "Z", "Berlin", "Europe/Berlin "]) {
    assert.equal(isTimeZone(name), false, name);
  }
});

test("lists all time zones with the offset that their clocks show, in winter, in summer and in between", () => {
  for (const time of ["2026-01-15T12:34:56Z", "2026-07-15T12:34:56Z", "2026-03-08T07:15:00Z"]) {
    const at = Date.parse(time);
    const zones = listTimeZones(at);
    assert.deepEqual(zones[0], { name: "UTC", offset: 0 });
    const expected = Intl.supportedValuesOf("timeZone").filter((name) => name !== "UTC");
    assert.deepEqual(pick(zones.slice(1), "name"), expected);
    for (const { name, offset } of zones) {
      const clock = new Date(at).toLocaleString("sv", { timeZone: name });
      assert.equal(Date.parse(`${clock.replace(" ", "T")}Z`) - at, offset, `${name} at ${time}`);
    }
  }
  const inStockholm = (time: string) =>
    listTimeZones(Date.parse(time)).find(({ name }) => name === "Europe/Stockholm")?.offset;
  assert.deepEqual(["2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z"].map(inStockholm), [hourMs, 2 * hourMs]);
});

test("lists time zones once in a quarter hour", () => {
  const at = Date.parse("2026-06-01T12:00:00Z");
  const listed = listTimeZones(at);
  assert.equal(listTimeZones(at + 15 * 60_000 - 1), listed);
  assert.notEqual(listTimeZones(at + 15 * 60_000), listed);
});
