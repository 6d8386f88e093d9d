// What is taken from a record of an import, and how.

import assert from "node:assert/strict";
import test from "node:test";
import { readReportedCampaign } from "../../src/campaign/reported-campaign.ts";

const least = { id: 1, subject: "Hello", sent_at: "Jan 1, 2024 9:00 AM" };

const read = (more: Record<string, unknown>, timeZone = "UTC") =>
  readReportedCampaign({ ...least, ...more }, timeZone);

test("every field of a record finds its place, as it was given", () => {
  const { reported, ...rest } = read(
    {
      sent_from: "news@example.com",
      organization_team: "Default Team",
      sending_type: "Timezone",
      tracking_type: "Individual",
      open_rate: 0.25,
      click_rate: 0.5,
      unique_opens: 25,
      multiple_opens: 15,
      unopened: 110,
      total_opens: 40,
      unique_clicks: 10,
      multiple_clicks: 1,
      total_clicks: 11,
      click_per_unique_open_rate: 2,
      desktop_open_rate: 3,
      mobile_open_rate: 4,
      tags: [{ name: "News", color: "#4e79A7" }],
      recipient_count: 135,
      recipients: "HQ, Sales",
      read_time_glanced: 5,
      read_time_skimmed: 6,
      read_time_read: 7,
      surveys_count: 8,
      enps_score_average: 9.5,
      enps_reactions_count: 12,
      enps_comments_count: 13,
      survey_reactions_count: 14,
      survey_reactions_comments_count: 16,
    },
    "America/New_York",
  );
  assert.deepEqual(rest, { errors: [], unknownFields: [], nullFields: [], ratesAboveOne: [] });
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
    metrics: {
      open_rate: 0.25,
      click_rate: 0.5,
      unique_opens: 25,
      multiple_opens: 15,
      unopened: 110,
      total_opens: 40,
      unique_clicks: 10,
      multiple_clicks: 1,
      total_clicks: 11,
      click_per_unique_open_rate: 2,
      desktop_open_rate: 3,
      mobile_open_rate: 4,
      read_time_glanced: 5,
      read_time_skimmed: 6,
      read_time_read: 7,
      enps_score_average: 9.5,
      enps_reactions_count: 12,
      enps_comments_count: 13,
      survey_reactions_count: 14,
      survey_reactions_comments_count: 16,
    },
    tags: [{ name: "News", color: "#4e79A7" }],
  });
});

test("a missing value is kept as null and named, and everything else may be missing", () => {
  const reading = read({ sent_from: null, open_rate: null, tags: null });
  assert.equal(reading.nullFields.length, 28);
  assert.deepEqual(reading.nullFields.slice(0, 4), [
    "sent_from",
    "organization_team",
    "sending_type",
    "tracking_type",
  ]);
  assert.equal(reading.reported?.campaign.sentFrom, null);
  assert.equal(reading.reported?.campaign.recipientCount, null);
  assert.equal(reading.reported?.metrics.open_rate, null);
  assert.deepEqual(reading.reported?.tags, []);
});

test("sending and tracking types outside the observed ones are kept as given", () => {
  const { reported } = read({ sending_type: "A/B test", tracking_type: "" });
  assert.deepEqual([reported?.campaign.sendingType, reported?.campaign.trackingType], ["A/B test", ""]);
});

test("fields that the specification does not know are left out and named", () => {
  const { reported, unknownFields } = read({ bounce_rate: 0.1, Open_Rate: 1, toString: 1, ["__proto__"]: 1 });
  assert.deepEqual(unknownFields, ["bounce_rate", "Open_Rate", "toString", "__proto__"]);
  assert.equal(JSON.stringify(reported).includes("0.1"), false);
});

test("a rate above 1 is kept and named, a percentage above 100 is kept", () => {
  const reading = read({ open_rate: 25.5, click_rate: 1, mobile_open_rate: 120 });
  assert.deepEqual(reading.ratesAboveOne, ["open_rate"]);
  assert.equal(reading.reported?.metrics.open_rate, 25.5);
  assert.equal(reading.reported?.metrics.mobile_open_rate, 120);
});

test("sent_at is the text of the original or ISO-8601, in the years 1 to 9999", () => {
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

test("tags are objects or plain names, trimmed, each name once", () => {
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
