// Campaigns of the demo whose numbers are imported.

import { readTimeLimits } from "../../campaign/events/recipient.ts";
import type { MetricName, ReportedMetrics } from "../../campaign/metrics.ts";
import type { ReportedCampaign } from "../../campaign/reported-campaign.ts";
import type { Company } from "./company.ts";
import { type Reading, readingsOf } from "./recipients-activity.ts";
import { demoSendings, type Sending } from "./sendings.ts";

/** The campaigns that the company sent between two instants, in milliseconds since 1970, oldest first. */
export function demoCampaigns(company: Company, until: number, from = 0): ReportedCampaign[] {
  const sendings = demoSendings(company, until).filter(({ sentAt }) => sentAt >= from);
  return sendings.map((sending) => reportedCampaign(company, sending));
}

function reportedCampaign({ domain }: Company, sending: Sending): ReportedCampaign {
  const { id, series, subject, sentAt, recipientCount, sendingType, trackingType } = sending;
  return {
    campaign: {
      id,
      subject,
      sentAt,
      sentFrom: `${series.mailbox}@${domain}`,
      team: series.team,
      sendingType,
      trackingType,
      recipientCount,
      recipients: sending.groups.join(", "),
      surveysCount: sending.survey ? 1 : 0,
    },
    tags: demoTags(sending),
    metrics: metricsOfReadings(recipientCount, readingsOf(sending), sending.survey?.kind),
  };
}

export function demoTags({ series, isUrgent }: Sending): { name: string; color: string }[] {
  return isUrgent ? [series.tag, { name: "Urgent", color: "#C0392B" }] : [series.tag];
}

function metricsOfReadings(
  recipients: number,
  readings: readonly Reading[],
  surveyKind: "enps" | "pulse" | undefined,
): ReportedMetrics {
  const sum = (of: (reading: Reading) => number) => readings.reduce((total, each) => total + of(each), 0);
  const count = (is: (reading: Reading) => boolean) => readings.filter(is).length;
  const [opens, totalOpens] = [readings.length, sum((each) => each.opens.length)];
  const [clicks, totalClicks] = [count((each) => each.clicks.length > 0), sum((each) => each.clicks.length)];
  const desktop = percent(
    count((each) => !each.isMobile),
    opens,
  );
  const { glanced, skimmed } = readTimeLimits;
  const measured = count((each) => each.seconds > 0);
  const glancedShare = percent(
    count(({ seconds }) => seconds > 0 && seconds <= glanced),
    measured,
  );
  const skimmedShare = percent(
    count(({ seconds }) => seconds > glanced && seconds <= skimmed),
    measured,
  );
  const answers = readings.flatMap(({ answer }) => answer ?? []);
  const comments = answers.filter(({ comment }) => comment !== undefined).length;
  const isEnps = surveyKind === "enps";
  const scores = isEnps ? answers.map(({ value }) => Number(value)) : [];
  const metrics: Record<MetricName, number> = {
    open_rate: share(opens, recipients),
    click_rate: share(clicks, recipients),
    unique_opens: opens,
    multiple_opens: totalOpens - opens,
    unopened: recipients - opens,
    total_opens: totalOpens,
    unique_clicks: clicks,
    multiple_clicks: totalClicks - clicks,
    total_clicks: totalClicks,
    click_per_unique_open_rate: percent(clicks, opens),
    desktop_open_rate: desktop,
    mobile_open_rate: opens === 0 ? 0 : 100 - desktop,
    read_time_glanced: glancedShare,
    read_time_skimmed: skimmedShare,
    read_time_read: measured === 0 ? 0 : 100 - glancedShare - skimmedShare,
    enps_score_average:
      Math.round((100 * scores.reduce((all, score) => all + score, 0)) / (scores.length || 1)) / 100,
    enps_reactions_count: scores.length,
    enps_comments_count: isEnps ? comments : 0,
    survey_reactions_count: isEnps ? 0 : answers.length,
    survey_reactions_comments_count: isEnps ? 0 : comments,
  };
  return metrics;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
}

const percent = (part: number, whole: number): number => Math.round(100 * share(part, whole));
