// Send times as email tools and spreadsheets write them.

import assert from "node:assert/strict";
import test from "node:test";
import { type DateOrder, parseExportedTime } from "../../../src/campaign/calendar/exported-time.ts";

function parsed(text: string, order?: DateOrder): string | undefined {
  const at = parseExportedTime(text, "Europe/Stockholm", order);
  return typeof at === "number" ? new Date(at).toISOString().replace(":00.000Z", "Z") : at;
}

test("reads times of email tools in the organization's time zone", () => {
  for (const text of [
    ...["Jun 09, 2025 09:30 pm", "Jun 9, 2025 9:30 PM", "2025-06-09 21:30:00", "2025-06-09T21:30"],
    ...["9 Jun 2025 21:30", "9 June 2025, 21:30:00", "9. June 2025 21:30", "09-Jun-2025 21:30"],
    ...["June 9th, 2025 at 9:30 p.m.", "Mon, Jun 9, 2025 at 9:30 PM", "Monday, 9 June 2025 21:30"],
    ...["9.6.2025 21:30", "2025/06/09 21:30", "Jun 9, 2025, 9:30\u202fPM", "2025-06-09T19:30:00Z"],
    ...["9 Jun 2025 19:30 GMT", "9 Jun 2025 21:30 +0200", "09-Jun-25 21:30", "2025-06-09 9:30 PM"],
    ...["2025-06-09 09:30 p.m.", "2025-6-9 21:30", "2025.06.09 21:30", "2025-06-09 19:30:00 UTC"],
    ...["2025-06-09 19:30:00 GMT", "2025-06-09 19:30:00+00", "2025-06-09 19:30:00.000000+00"],
    ...["2025-06-09 22:30:00+03", "2025-06-09 19:30:00,000 +0000", "2025-06-09T19:30:00.000+0000"],
    ...["2025/06/09T21:30:00", "Mon Jun 9 2025 21:30:00 GMT+0200", "Jun 9, 2025 9:30 PM UTC+02:00"],
  ]) {
    assert.equal(parsed(text), "2025-06-09T19:30Z", text);
  }
  assert.equal(parsed("Sept 1, 2025"), "2025-08-31T22:00Z");
  assert.equal(parsed("7/7/2025"), "2025-07-06T22:00Z");
});

test("reads days and months in numbers only if their order is clear", () => {
  assert.equal(parsed("3/4/2025 09:00"), "ambiguous");
  assert.equal(parsed("03-04-25"), "ambiguous");
  assert.equal(parsed("3/4/2025 09:00", "month-first"), "2025-03-04T08:00Z");
  assert.equal(parsed("3/4/2025 09:00", "day-first"), "2025-04-03T07:00Z");
  assert.equal(parsed("3/14/25 9:00 AM"), "2025-03-14T08:00Z");
  assert.equal(parsed("14/3/2025"), "2025-03-13T23:00Z");
  assert.equal(parsed("3/14/2025", "day-first"), undefined);
  // The year may be first where it has two digits.
  for (const text of ["14/03/25", "25-03-14", "05/05/06 9:00"]) {
    assert.equal(parsed(text), "ambiguous", text);
  }
  assert.equal(parsed("05/05/05"), "2005-05-04T22:00Z");
  assert.equal(parsed("25-03-14", "year-first"), "2025-03-13T23:00Z");
  assert.equal(parsed("25-03-14", "day-first"), "2014-03-24T23:00Z");
  assert.equal(parsed("14/03/2025", "year-first"), undefined);
  assert.equal(parsed("14.03.25"), "2025-03-13T23:00Z");
});

test("refuses what is no time", () => {
  for (const text of [
    ...["", "soon", "Feb 30, 2025", "31.2.2025", "9 Jun 2025 25:00", "9 Jun 2025 13:00 PM"],
    ...["9 Jun 2025 21:60"],
    ...["9 Jun 2025 21:30 EST", "Ju 9, 2025", "June 2025", "45817.9", "2025", "21:30", "1/2/3/4"],
    ...["Jun 9, 2025 9:30 PM x"],
    // It took more than a minute.
    `1/2/2024${" ".repeat(200_000)}x`,
  ]) {
    assert.equal(parsed(text), undefined, text.slice(0, 100));
  }
});
