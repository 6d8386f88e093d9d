// The imported campaigns of a branch of the fictional company. Every run generates the same ones.

import { dayMs, hourMs, quarterHourMs } from "../../campaign/calendar/durations.ts";
import type { MetricName, ReportedMetrics } from "../../campaign/metrics.ts";
import type { TagReference } from "../../campaign/parse-tags.ts";
import type { ReportedCampaign } from "../../campaign/reported-campaign.ts";
import { type Branch, headOffice } from "./branches.ts";
import { randomNumbers } from "./random-numbers.ts";

const lastDay = Date.UTC(2025, 11, 31);

/** Recurring campaigns: who sends them, how often, on which weekday, and which share of the recipients opens them. */
const series = [
  {
    team: "Internal Communications",
    tag: "Newsletter",
    subject: "The week at Lindgren",
    everyDays: 7,
    on: 5,
    appeal: 0.62,
  },
  {
    team: "Executive Office",
    tag: "CEO update",
    subject: "A note from Astrid",
    everyDays: 28,
    on: 2,
    appeal: 0.74,
  },
  { team: "Human Resources", tag: "Benefits", subject: "Your benefits", everyDays: 21, on: 3, appeal: 0.55 },
  {
    team: "Human Resources",
    tag: "Training",
    subject: "Courses that start soon",
    everyDays: 28,
    on: 1,
    appeal: 0.41,
  },
  { team: "IT", tag: "Security", subject: "Phishing of the month", everyDays: 28, on: 4, appeal: 0.47 },
  { team: "IT", tag: "Maintenance", subject: "Planned downtime", everyDays: 42, on: 4, appeal: 0.38 },
  {
    team: "Sales",
    tag: "Product",
    subject: "New in the catalog",
    everyDays: 14,
    on: 2,
    appeal: 0.51,
  },
  { team: "Facilities", tag: "Offices", subject: "Around the house", everyDays: 35, on: 1, appeal: 0.44 },
] as const;

const colors = [
  "#4E79A7",
  "#E15759",
  "#59A14F",
  "#EDC948",
  "#B07AA1",
  "#79706E",
  "#F28E2B",
  "#76B7B2",
] as const;

/** All campaigns of the branch, oldest first. */
export function demoCampaigns(branch: Branch = headOffice): ReportedCampaign[] {
  const { firstDay, seed } = branch;
  const random = randomNumbers(seed);
  const campaigns: ReportedCampaign[] = [];
  for (let day = firstDay; day <= lastDay; day += dayMs) {
    for (const [index, each] of series.entries()) {
      const dayNumber = (day - firstDay) / dayMs;
      const isDue =
        new Date(day).getUTCDay() === each.on &&
        Math.floor(dayNumber / 7) % (each.everyDays / 7) === index % (each.everyDays / 7);
      if (isDue) campaigns.push(makeCampaign(branch, { id: campaigns.length + 1, day, index }, random));
    }
  }
  return campaigns;
}

function makeCampaign(
  { firstDay, firstHour, groups, domain }: Branch,
  { id, day, index }: { id: number; day: number; index: number },
  random: () => number,
): ReportedCampaign {
  const { team, tag, subject, appeal } = series[index] ?? series[0];
  const sentTo = groups.filter((_, position) => position === index % groups.length || random() < 0.6);
  const recipientCount = sentTo.reduce((sum, { size }) => sum + size, 0);
  const isTimezone = random() < 0.3;
  const trackingType = random() < 0.7 ? "Individual" : isTimezone || random() < 0.6 ? "Anonymous" : "Overall";
  const sentAt =
    day + (firstHour + Math.floor(random() * 8)) * hourMs + Math.floor(random() * 4) * quarterHourMs;
  const month = new Date(day).getUTCMonth();
  const week = Math.floor((day - firstDay) / dayMs / 7) + 1;
  const tags: TagReference[] = [{ name: tag, color: colors[index] ?? colors[0] }];
  if (random() < 0.15) tags.push({ name: "Urgent", color: "#C0392B" });
  const sendingType = isTimezone ? "Timezone" : random() < 0.7 ? "Scheduled" : "Immediate";
  const surveys = random() < 0.25 ? 1 : 0;
  const metrics = makeMetrics(recipientCount, appeal * seasonOf(month) * (0.85 + random() * 0.3), random);
  const answered = [metrics.enps_reactions_count, metrics.survey_reactions_count].filter(Boolean);
  return {
    campaign: {
      id,
      subject: `${subject} · no. ${week}`,
      sentAt,
      sentFrom: `${team.toLowerCase().replaceAll(" ", ".")}@${domain}`,
      team,
      sendingType,
      trackingType,
      recipientCount,
      recipients: sentTo.map(({ name }) => name).join(", "),
      // Ratings and answers need a survey each; a survey can also have no answers.
      surveysCount: Math.max(surveys, answered.length),
    },
    tags,
    metrics,
  };
}

/** Fewer messages are opened in July and December. */
function seasonOf(month: number): number {
  return [1, 1.02, 1.03, 1, 0.97, 0.9, 0.62, 0.85, 1.04, 1.03, 1, 0.82][month] ?? 1;
}

function makeMetrics(recipients: number, openShare: number, random: () => number): ReportedMetrics {
  const uniqueOpens = Math.round(recipients * Math.min(openShare, 0.95));
  const multipleOpens = Math.round(uniqueOpens * (0.3 + random() * 0.5));
  const uniqueClicks = Math.round(uniqueOpens * (0.08 + random() * 0.3));
  const multipleClicks = Math.round(uniqueClicks * random() * 0.6);
  const mobile = Math.round(22 + random() * 30);
  const glanced = Math.round(15 + random() * 20);
  const skimmed = Math.round(25 + random() * 20);
  const ratings = random() < 0.2 ? Math.round(uniqueOpens * 0.15) : 0;
  const answers = random() < 0.2 ? Math.round(uniqueOpens * 0.1) : 0;
  const metrics: Record<MetricName, number> = {
    open_rate: share(uniqueOpens, recipients),
    click_rate: share(uniqueClicks, recipients),
    unique_opens: uniqueOpens,
    multiple_opens: multipleOpens,
    unopened: recipients - uniqueOpens,
    total_opens: uniqueOpens + multipleOpens,
    unique_clicks: uniqueClicks,
    multiple_clicks: multipleClicks,
    total_clicks: uniqueClicks + multipleClicks,
    click_per_unique_open_rate: Math.round(100 * share(uniqueClicks, uniqueOpens)),
    desktop_open_rate: 100 - mobile,
    mobile_open_rate: mobile,
    read_time_glanced: glanced,
    read_time_skimmed: skimmed,
    read_time_read: 100 - glanced - skimmed,
    enps_score_average: ratings === 0 ? 0 : Math.round((6.8 + random() * 1.9) * 100) / 100,
    enps_reactions_count: ratings,
    enps_comments_count: Math.round(ratings * 0.3),
    survey_reactions_count: answers,
    survey_reactions_comments_count: Math.round(answers * 0.2),
  };
  return metrics;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
}
