// The email record: 31 fields in the order of the specification, without nulls, tags by name.

import assert from "node:assert/strict";
import test from "node:test";
import { compareTags, paletteColor } from "../../src/campaign/campaign.ts";
import { toEmailRecord } from "../../src/campaign/email-record.ts";
import { emailRecordFieldNames, emailRecordSchema } from "../../src/campaign/email-record-schema.ts";
import { metricNames, type ReportedMetrics } from "../../src/campaign/metrics.ts";
import { campaign } from "../support/world.ts";

const metricsOf = (value: number | null) =>
  Object.fromEntries(metricNames.map((name) => [name, value])) as ReportedMetrics;

test("lists the fields of the specification in its order", () => {
  assert.deepEqual(emailRecordFieldNames, [
    ...["id", "subject", "sent_at", "sent_from", "organization_team", "sending_type", "tracking_type"],
    ...["open_rate", "click_rate", "unique_opens", "multiple_opens", "unopened", "total_opens"],
    ...["unique_clicks", "multiple_clicks", "total_clicks", "click_per_unique_open_rate"],
    ...["desktop_open_rate", "mobile_open_rate", "tags", "recipient_count", "recipients"],
    ...["read_time_glanced", "read_time_skimmed", "read_time_read", "surveys_count", "enps_score_average"],
    ...["enps_reactions_count", "enps_comments_count", "survey_reactions_count"],
    ...["survey_reactions_comments_count"],
  ]);
  assert.equal(emailRecordFieldNames.length, 31);
  assert.deepEqual(emailRecordSchema.required, emailRecordFieldNames);
});

test("renders missing values as 0, empty text or an empty list, never as null", () => {
  const { campaign: sent } = campaign({
    id: 1,
    sentFrom: null,
    team: null,
    sendingType: null,
    trackingType: null,
    recipientCount: null,
    recipients: null,
    surveysCount: null,
  });
  assert.equal(
    JSON.stringify(toEmailRecord(sent, [], metricsOf(null), "UTC")),
    '{"id":1,"subject":"Campaign 1","sent_at":"Jan 1, 2024 9:00 AM","sent_from":"","organization_team":"",' +
      '"sending_type":"","tracking_type":"","open_rate":0,"click_rate":0,"unique_opens":0,"multiple_opens":0,' +
      '"unopened":0,"total_opens":0,"unique_clicks":0,"multiple_clicks":0,"total_clicks":0,' +
      '"click_per_unique_open_rate":0,"desktop_open_rate":0,"mobile_open_rate":0,"tags":[],"recipient_count":0,' +
      '"recipients":"","read_time_glanced":0,"read_time_skimmed":0,"read_time_read":0,"surveys_count":0,' +
      '"enps_score_average":0,"enps_reactions_count":0,"enps_comments_count":0,"survey_reactions_count":0,' +
      '"survey_reactions_comments_count":0}',
  );
});

test("keeps empty text and a given 0", () => {
  const { campaign: sent } = campaign({ id: 1, subject: "", sentFrom: "", recipientCount: 0 });
  const record = toEmailRecord(sent, [], metricsOf(0), "UTC");
  assert.deepEqual([record.subject, record.sent_from, record.recipient_count], ["", "", 0]);
  assert.equal(record.open_rate, 0);
});

test("sorts tags by name, then id, and omits their ids", () => {
  const { campaign: sent, metrics } = campaign({ id: 1 });
  const tags = [
    { id: 1, name: "b", color: "#000001" },
    { id: 4, name: "Z", color: "#000004" },
    { id: 3, name: "ä", color: "#000003" },
    { id: 2, name: "a", color: "#000002" },
  ];
  assert.deepEqual(toEmailRecord(sent, tags, metrics, "UTC").tags, [
    { name: "Z", color: "#000004" },
    { name: "a", color: "#000002" },
    { name: "b", color: "#000001" },
    { name: "ä", color: "#000003" },
  ]);
  assert.equal(compareTags({ id: 5, name: "a", color: "" }, { id: 9, name: "a", color: "" }) < 0, true);
  assert.equal(compareTags({ id: 9, name: "a", color: "" }, { id: 5, name: "a", color: "" }) > 0, true);
});

test("formats sent_at in the time zone of the organization", () => {
  const { campaign: sent, metrics } = campaign({ id: 1, sentAt: Date.UTC(2024, 0, 1, 2) });
  assert.equal(toEmailRecord(sent, [], metrics, "America/New_York").sent_at, "Dec 31, 2023 9:00 PM");
});

test("picks the same palette color for the same tag name", () => {
  const colors = ["Newsletter", "Urgent", "CEO update", "", "😀"].map(paletteColor);
  assert.deepEqual(colors, ["#79706E", "#B07AA1", "#FF9DA7", "#4E79A7", "#E15759"]);
});
