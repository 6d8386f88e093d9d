// Holds the records that a service shows against the plain oracle.

import assert from "node:assert/strict";
import { expectedMetrics, type SentEvent, type TrafficSetting } from "../test/support/oracle.ts";
import { madeUpCampaign } from "./made-up-events.ts";
import { readRecords } from "./service.ts";

export interface ExpectedRecords {
  campaigns: number;
  /** All that were ever acknowledged, each once. */
  events: readonly SentEvent[];
  counts?: TrafficSetting;
}

/**
 * @returns how many fields were compared
 * @throws AssertionError naming the campaign whose record differs
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

/** Every field but the tags' colours, which the service chooses. */
function expectedRecord(
  id: number,
  events: readonly SentEvent[],
  counts: TrafficSetting,
): Record<string, unknown> {
  const campaign = madeUpCampaign(id);
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
    ...expectedMetrics(campaign, arrivals, counts),
  };
}
