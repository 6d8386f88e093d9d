// Reading a record of an import.

import assert from "node:assert/strict";
import test from "node:test";
import { parseReportedCampaign } from "../../src/campaign/reported-campaign.ts";

const least = { id: 1, subject: "Hello", sent_at: "Jan 1, 2024 9:00 AM" };

const read = (more: Record<string, unknown>, timeZone = "UTC") =>
  parseReportedCampaign({ ...least, ...more }, timeZone);

test("stores every field of a record as given", () => {
  const metrics = {
    ...{ open_rate: 0.25, click_rate: 0.5, unique_opens: 25, multiple_opens: 15, unopened: 110 },
    ...{ total_opens: 40, unique_clicks: 10, multiple_clicks: 1, total_clicks: 11 },
    ...{ click_per_unique_open_rate: 2, desktop_open_rate: 3, mobile_open_rate: 4 },
    ...{ read_time_glanced: 5, read_time_skimmed: 6, read_time_read: 7 },
    ...{ enps_score_average: 9.5, enps_reactions_count: 12, enps_comments_count: 13 },
    ...{ survey_reactions_count: 14, survey_reactions_comments_count: 16 },
  };
  const tags = [{ name: "News", color: "#4e79A7" }];
  const { reported, ...rest } = read(
    {
      sent_from: "news@example.com",
      organization_team: "Default Team",
      sending_type: "Timezone",
      tracking_type: "Individual",
      ...metrics,
      tags,
      recipient_count: 135,
      recipients: "HQ, Sales",
      surveys_count: 8,
    },
    "America/New_York",
  );
  assert.deepEqual(rest, { errors: [], unknownFields: [], nullFields: [], tooLargeRates: [] });
  assert.deepEqual(reported, {
    campaign: {
      id: 1,
      subject: "Hello",
      sentAt: Date.UTC(2024, 0, 1, 14),
      sentFrom: "news@example.com",
      team: "Default Team",
      sendingType: "Timezone",
      trackingType: "Individual",
      recipientCount: 135,
      recipients: "HQ, Sales",
      surveysCount: 8,
    },
    metrics,
    tags,
  });
});

test("stores missing optional values as null and names them", () => {
  const result = read({ sent_from: null, open_rate: null, tags: null });
  assert.equal(result.nullFields.length, 28);
  assert.deepEqual(result.nullFields.slice(0, 4), [
    "sent_from",
    "organization_team",
    "sending_type",
    "tracking_type",
  ]);
  assert.equal(result.reported?.campaign.sentFrom, null);
  assert.equal(result.reported?.campaign.recipientCount, null);
  assert.equal(result.reported?.metrics.open_rate, null);
  assert.deepEqual(result.reported?.tags, []);
});

test("stores unknown sending and tracking types as given", () => {
  const { reported } = read({ sending_type: "A/B test", tracking_type: "" });
  assert.deepEqual([reported?.campaign.sendingType, reported?.campaign.trackingType], ["A/B test", ""]);
});

test("ignores and names unknown fields", () => {
  const { reported, unknownFields } = read({ bounce_rate: 0.1, Open_Rate: 1, toString: 1, ["__proto__"]: 1 });
  assert.deepEqual(unknownFields, ["bounce_rate", "Open_Rate", "toString", "__proto__"]);
  assert.equal(JSON.stringify(reported).includes("0.1"), false);
});

test("stores and names a rate above 1 and a percentage above 100", () => {
  const result = read({ open_rate: 25.5, click_rate: 1, desktop_open_rate: 100, mobile_open_rate: 120 });
  assert.deepEqual(result.tooLargeRates, ["open_rate", "mobile_open_rate"]);
  assert.equal(result.reported?.metrics.open_rate, 25.5);
  assert.equal(result.reported?.metrics.mobile_open_rate, 120);
});

test("parses sent_at from its own text form and from ISO-8601, up to the year 9999", () => {
  const instants = [
    "Jan 1, 2024 9:00 AM",
    " 2024-01-01T09:00:00 ",
    "2024-01-01T08:00:00Z",
    "2024-01-01T10:00:00+02:00",
  ];
  for (const sent_at of instants) {
    assert.equal(
      read({ sent_at }, "Europe/Berlin").reported?.campaign.sentAt,
      Date.UTC(2024, 0, 1, 8),
      sent_at,
    );
  }
  assert.equal(read({ sent_at: "9999-12-31T23:59:59.999Z" }).reported?.campaign.sentAt, 253_402_300_799_999);
});

test("accepts tags as objects or names, trims them and drops duplicates", () => {
  const tags = [
    "News",
    { name: " Urgent " },
    { name: "News", color: "#000000" },
    { name: "x", color: null, id: 4 },
  ];
  assert.deepEqual(read({ tags }).reported?.tags, [
    { name: "News", color: null },
    { name: "Urgent", color: null },
    { name: "x", color: null },
  ]);
});
