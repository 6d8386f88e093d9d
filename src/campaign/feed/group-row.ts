// The row of a released group in the table `email_groups`.

import type { CopiedCounts } from "../audience/copy-groups.ts";
import { emptyTally } from "../events/tally.ts";
import type { TrafficFilter } from "../events/traffic.ts";
import { deriveMetrics } from "../metrics.ts";
import type { FeedRow } from "./feed-tables.ts";
import { rangeOf } from "./typed-record.ts";

/** A group that readers see. */
export interface ReleasedGroup extends CopiedCounts {
  campaignId: number;
  attribute: string;
  /** Empty for recipients without a value. */
  value: string;
  /** Whether the campaign has a list: without one, the number of recipients is only that of those with an event. */
  isListed: boolean;
}

const noCounts = emptyTally();

/** The fields in their order. */
export function toGroupRow(group: ReleasedGroup, traffic: TrafficFilter): FeedRow {
  const { isListed, enpsReactions, enpsScores } = group;
  const [uniqueOpens, uniqueClicks] = [group[`${traffic}Opens`], group[`${traffic}Clicks`]];
  const recipients = isListed ? group.recipients : null;
  const ratings = { enpsReactions: enpsReactions ?? 0, enpsScores: enpsScores ?? 0 };
  const tally = { ...noCounts, uniqueOpens, uniqueClicks: uniqueClicks ?? 0, ...ratings };
  const { open_rate, click_rate, enps_score_average } = deriveMetrics(tally, group.recipients);
  const openRange = rangeOf(open_rate, uniqueOpens, recipients);
  const clickRange = rangeOf(click_rate, uniqueClicks, recipients);
  return {
    email_id: group.campaignId,
    attribute: group.attribute,
    value: group.value,
    recipient_count: recipients,
    unique_opens: uniqueOpens,
    open_rate: isListed ? open_rate : null,
    open_rate_low: openRange.low,
    open_rate_high: openRange.high,
    unique_clicks: uniqueClicks,
    click_rate: isListed && uniqueClicks !== null ? click_rate : null,
    click_rate_low: clickRange.low,
    click_rate_high: clickRange.high,
    reads_glanced: group.glanced,
    reads_skimmed: group.skimmed,
    reads_read: group.read,
    enps_reactions_count: enpsReactions,
    enps_score_average: enpsScores !== null && ratings.enpsReactions > 0 ? enps_score_average : null,
    survey_reactions_count: group.surveyReactions,
  };
}
