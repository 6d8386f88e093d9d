// Errors in a record of an import: field, value and the accepted values.

import assert from "node:assert/strict";
import test from "node:test";
import { parseReportedCampaign } from "../../src/campaign/reported-campaign.ts";

const least = { id: 1, subject: "Hello", sent_at: "Jan 1, 2024 9:00 AM" };

const read = (more: Record<string, unknown>, timeZone = "UTC") =>
  parseReportedCampaign({ ...least, ...more }, timeZone);

/** The errors as `field: problem`. */
const errorsOf = (more: Record<string, unknown>) =>
  read(more).errors.map(({ field, problem }) => `${field}: ${problem}`);

test("requires id, subject and sent_at, and names each that is missing", () => {
  const { reported, errors } = parseReportedCampaign({ subject: null }, "UTC");
  assert.equal(reported, undefined);
  assert.deepEqual(
    errors.map(({ field, problem }) => `${field}: ${problem}`),
    [
      "id: is missing; it must be a whole number from 1 to 9007199254740991",
      "subject: is missing; it must be text of at most 65536 characters, without NUL or unpaired surrogates",
      "sent_at: is missing; it must be a time such as Jan 1, 2024 9:00 AM, or ISO-8601 such as 2024-01-01T09:00:00Z",
    ],
  );
});

test("accepts counts from 0 and ids from 1, up to 2^53 - 1", () => {
  assert.deepEqual(errorsOf({ unique_opens: 0, total_opens: 9_007_199_254_740_991 }), []);
  const expected = "is not a whole number from 0 to 9007199254740991";
  assert.deepEqual(errorsOf({ unique_opens: -1 }), [`unique_opens: -1 ${expected}`]);
  assert.deepEqual(errorsOf({ unique_opens: 1.5 }), [`unique_opens: 1.5 ${expected}`]);
  assert.deepEqual(errorsOf({ recipient_count: "12" }), [`recipient_count: "12" ${expected}`]);
  assert.deepEqual(errorsOf({ surveys_count: true }), [`surveys_count: true ${expected}`]);
  assert.deepEqual(errorsOf({ total_opens: 2 ** 53 }), [`total_opens: 9007199254740992 ${expected}`]);
  for (const id of [0, -1, 1.5, "1", 2 ** 53, [1]]) assert.equal(errorsOf({ id }).length, 1, String(id));
});

test("accepts rates and percentages from 0, and any finite average", () => {
  assert.deepEqual(errorsOf({ open_rate: 5e-324, mobile_open_rate: 1.7976931348623157e308 }), []);
  assert.deepEqual(errorsOf({ enps_score_average: -100 }), []);
  assert.deepEqual(errorsOf({ open_rate: -0.1 }), ["open_rate: -0.1 is not a number of at least 0"]);
  assert.deepEqual(errorsOf({ open_rate: "25%" }), ['open_rate: "25%" is not a number of at least 0']);
  assert.deepEqual(errorsOf({ click_rate: Infinity }), [
    "click_rate: Infinity is not a number of at least 0",
  ]);
  assert.deepEqual(errorsOf({ enps_score_average: Number.NaN }), [
    "enps_score_average: NaN is not a finite number",
  ]);
});

test("rejects text over 65,536 characters, with NUL or with an unpaired surrogate", () => {
  assert.deepEqual(errorsOf({ subject: "", sent_from: "x".repeat(65_536), recipients: "😀\n\t" }), []);
  for (const subject of ["x".repeat(65_537), "a\0b", "a\ud800", "\udc00b", 5, {}]) {
    const [error = ""] = errorsOf({ subject });
    const message =
      /^subject: .* is not text of at most 65536 characters, without NUL or unpaired surrogates$/;
    assert.match(error, message);
  }
});

test("names each invalid tag", () => {
  const named = "is not a tag with a name of 1 to 200 characters";
  assert.deepEqual(errorsOf({ tags: "News" }), ['tags: "News" is not a list of tags']);
  assert.deepEqual(errorsOf({ tags: [" ", { color: "#000000" }, 5, null, "x".repeat(201), "a\0"] }), [
    `tags: " " ${named}`,
    `tags: {"color":"#000000"} ${named}`,
    `tags: 5 ${named}`,
    `tags: null ${named}`,
    `tags: "${"x".repeat(100)}…" ${named}`,
    `tags: "a\\u0000" ${named}`,
  ]);
  assert.deepEqual(
    errorsOf({
      tags: [
        { name: "a", color: "red" },
        { name: "b", color: "#12345" },
      ],
    }),
    [
      'tags: "red" is not a color of the form #RRGGBB, for the tag "a"',
      'tags: "#12345" is not a color of the form #RRGGBB, for the tag "b"',
    ],
  );
});

test("rejects a record that is not an object, and truncates its value to 100 characters", () => {
  for (const input of [1, "text", null, [1], true]) {
    const { errors } = parseReportedCampaign(input, "UTC");
    assert.equal(errors.length, 1);
    const message = `${JSON.stringify(input)} is not an object with the fields of a campaign`;
    assert.equal(errors[0]?.problem, message);
  }
  const { errors } = parseReportedCampaign("y".repeat(500), "UTC");
  assert.equal(errors[0]?.problem, `"${"y".repeat(100)}…" is not an object with the fields of a campaign`);
});

test("rejects a sent_at that is not a time or is outside the years 1 to 9999", () => {
  for (const sent_at of [
    "soon",
    "",
    1_704_067_200_000,
    "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
  ]) {
    assert.equal(errorsOf({ sent_at }).length, 1, String(sent_at));
  }
  assert.deepEqual(errorsOf({ sent_at: "2024-02-30" }), [
    'sent_at: "2024-02-30" is not a time such as Jan 1, 2024 9:00 AM, or ISO-8601 such as 2024-01-01T09:00:00Z',
  ]);
});
