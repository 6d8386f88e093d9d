// Campaigns of the demo whose numbers are imported.

import { readTimeLimits } from "../../campaign/events/recipient.ts";
import { emptyTally, type Tally } from "../../campaign/events/tally.ts";
import { deriveMetrics } from "../../campaign/metrics.ts";
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
    metrics: deriveMetrics(tallyOf(readingsOf(sending), sending.survey?.kind), recipientCount),
  };
}

export function demoTags({ series, isUrgent }: Sending): { name: string; color: string }[] {
  return isUrgent ? [series.tag, { name: "Urgent", color: "#C0392B" }] : [series.tag];
}

function tallyOf(readings: readonly Reading[], surveyKind: "enps" | "pulse" | undefined): Tally {
  const sum = (of: (reading: Reading) => number) => readings.reduce((total, each) => total + of(each), 0);
  const count = (is: (reading: Reading) => boolean) => readings.filter(is).length;
  const { glanced, skimmed } = readTimeLimits;
  const readsFrom = (above: number, upTo = Number.POSITIVE_INFINITY) =>
    count(({ seconds }) => seconds > above && seconds <= upTo);
  const answers = readings.flatMap(({ answer }) => answer ?? []);
  const comments = answers.filter(({ comment }) => comment !== undefined).length;
  const scores = answers.map(({ value }) => Number(value));
  return {
    ...emptyTally(),
    uniqueOpens: readings.length,
    totalOpens: sum(({ opens }) => opens.length),
    desktopOpens: count(({ isMobile }) => !isMobile),
    mobileOpens: count(({ isMobile }) => isMobile),
    uniqueClicks: count(({ clicks }) => clicks.length > 0),
    totalClicks: sum(({ clicks }) => clicks.length),
    glanced: readsFrom(0, glanced),
    skimmed: readsFrom(glanced, skimmed),
    read: readsFrom(skimmed),
    ...(surveyKind === "enps"
      ? {
          enpsReactions: answers.length,
          enpsScores: scores.reduce((all, score) => all + score, 0),
          enpsComments: comments,
        }
      : { surveyReactions: answers.length, surveyComments: comments }),
  };
}
