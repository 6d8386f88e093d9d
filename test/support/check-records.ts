// Compares the records that a service returns with those of the test oracle.

import assert from "node:assert/strict";
import { generateCampaign } from "./generated-events.ts";
import { defaultRules, expectedMetrics, type SentEvent, type TrafficSetting } from "./oracle.ts";
import { readRecords } from "./service-process.ts";

export interface ExpectedRecords {
  campaigns: number;
  /** Every acknowledged event once. */
  events: readonly SentEvent[];
  counts?: TrafficSetting;
}

/**
 * @returns how many fields were compared
 * @throws AssertionError that names the campaign whose record differs
 */
export async function checkRecords(
  url: string,
  key: string,
  { campaigns, events, counts = "people" }: ExpectedRecords,
): Promise<number> {
  const ofCampaigns = Map.groupBy(events, ({ campaign_id }) => campaign_id as number);
  const records = await readRecords(url, key);
  assert.equal(records.size, campaigns);
  let fields = 0;
  for (const [id, record] of records) {
    const expected = expectedRecord(id, ofCampaigns.get(id) ?? [], counts);
    assert.deepEqual(record, { ...record, ...expected }, `campaign ${id}, counting ${counts}`);
    fields += Object.keys(expected).length;
  }
  return fields;
}

/** All fields except the tags, whose colors the service generates. */
function expectedRecord(
  id: number,
  events: readonly SentEvent[],
  counts: TrafficSetting,
): Record<string, unknown> {
  const campaign = generateCampaign(id);
  const arrivals = events.map((event) => ({ event, now: Number.POSITIVE_INFINITY }));
  return {
    id,
    subject: campaign.subject,
    sent_at: "Jan 5, 2026 9:00 AM",
    sent_from: campaign.sent_from,
    organization_team: campaign.team,
    sending_type: campaign.sending_type,
    tracking_type: campaign.tracking_type,
    recipient_count: campaign.recipient_count,
    recipients: "Headquarters, Sales",
    surveys_count: campaign.surveys_count,
    ...expectedMetrics(campaign, arrivals, counts, { ...defaultRules, minAnswers: 1 }),
  };
}
