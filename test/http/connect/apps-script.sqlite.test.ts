// The Apps Script files of Google Sheets and Looker Studio, with real requests and stand-ins for the services of Google.

import assert from "node:assert/strict";
import test from "node:test";
import { feedFieldNames } from "../../../src/campaign/feed/feed-fields.ts";
import { runAppsScript } from "../../support/apps-script.ts";
import { key, service, textOf } from "../../support/connectors.ts";
import { pick } from "../../support/pick.ts";

const withoutTags = feedFieldNames.filter((name) => name !== "tags");

test("Google Sheets gets a row for each campaign, with dates and numbers, and texts that are no formulas", async () => {
  const { results, sheets } = await runAppsScript({
    code: textOf("google-sheets/Code.gs"),
    calls: [["refresh"], ["refresh"]],
    properties: { EMAIL_ANALYTICS_KEY: key },
  });
  assert.deepEqual(results, [{ value: undefined }, { value: undefined }]);
  const [header = [], ...rows] = sheets.emails ?? [];
  assert.deepEqual(header, withoutTags);
  const shown = ["id", "subject", "sent_at", "sent_on", "open_rate", "enps_score_average", "tag_names"];
  assert.deepEqual(
    rows.map((row) => shown.map((name) => row[(header as string[]).indexOf(name)])),
    [
      [2, "'=1+1", new Date("2025-06-01T09:00:00Z"), "2025-06-01", 0.25, 16, "'"],
      [1, "'Campaign 1", new Date("2024-01-01T09:00:00Z"), "2024-01-01", 0.25, "", "'Newsletter"],
    ],
  );
});

test("Google Sheets shows the answer of the service when the key is missing or wrong", async () => {
  const code = textOf("google-sheets/Code.gs");
  const [missing, wrong] = await Promise.all([
    runAppsScript({ code, calls: [["refresh"]] }),
    runAppsScript({ code, calls: [["refresh"]], properties: { EMAIL_ANALYTICS_KEY: "wrong" } }),
  ]);
  assert.match(missing.results[0]?.error ?? "", /^Set the script property EMAIL_ANALYTICS_KEY/);
  assert.match(wrong.results[0]?.error ?? "", /^401: .*malformed/);
});

test("Looker Studio gets the fields of the metric contract, and the selected ones of a period", async () => {
  const fields = [
    "sent_at",
    "sent_on",
    "subject",
    "unique_opens",
    "open_rate",
    "enps_score_average",
    "closed_at",
  ];
  const request = {
    dateRange: { startDate: "2024-01-01", endDate: "2024-01-01" },
    fields: fields.map((name) => ({ name })),
  };
  const { results } = await runAppsScript({
    code: textOf("looker-studio/Code.gs"),
    calls: [
      ["getAuthType"],
      ["isAuthValid"],
      ["setCredentials", { key: "wrong" }],
      ["setCredentials", { key }],
      ["isAuthValid"],
      ["getSchema"],
      ["getData", request],
      ["resetAuth"],
      ["isAuthValid"],
    ],
  });
  const [type, before, refused, accepted, valid, schema, data, , reset] = results.map(({ value }) => value);
  assert.deepEqual(
    [type, before, refused, accepted, valid, reset],
    [{ authType: "KEY" }, false, { errorCode: "INVALID_CREDENTIALS" }, { errorCode: "NONE" }, true, false],
  );
  const all = (schema as { schema: { id: string }[] }).schema;
  assert.deepEqual(pick(all, "id"), withoutTags);
  const selected = data as { schema: Record<string, unknown>[]; rows: unknown[] };
  assert.deepEqual(pick(selected.schema, "id", "concept", "type", "aggregation"), [
    ["sent_at", "dimension", "YEAR_MONTH_DAY_SECOND", undefined],
    ["sent_on", "dimension", "YEAR_MONTH_DAY", undefined],
    ["subject", "dimension", "TEXT", undefined],
    ["unique_opens", "metric", "NUMBER", "SUM"],
    ["open_rate", "dimension", "PERCENT", undefined],
    ["enps_score_average", "dimension", "NUMBER", undefined],
    ["closed_at", "dimension", "YEAR_MONTH_DAY_SECOND", undefined],
  ]);
  assert.deepEqual(selected.rows, [
    { values: ["20240101090000", "20240101", "Campaign 1", 3, 0.25, null, null] },
  ]);
});

test("the manifest of Looker Studio names the service", () => {
  const { dataStudio } = JSON.parse(textOf("looker-studio/appsscript.json")) as {
    dataStudio: Record<string, string>;
  };
  assert.equal(dataStudio.supportUrl, service.url);
});
