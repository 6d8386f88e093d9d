// The numbers of several campaigns together. Whatever is told of more than one campaign is defined here: sums, of which
// any two can be added, and what follows from them.

import type { Tally } from "./events/tally.ts";
import type { CountedTraffic } from "./events/traffic.ts";
import type { ReportedMetrics } from "./metrics.ts";

/** What is needed of a reported campaign's numbers. */
export const summedMetrics = [
  "unique_opens",
  "unique_clicks",
  "desktop_open_rate",
  "mobile_open_rate",
  "read_time_glanced",
  "read_time_skimmed",
  "read_time_read",
  "enps_score_average",
  "enps_reactions_count",
] as const satisfies (keyof ReportedMetrics)[];
type SummedMetrics = Pick<ReportedMetrics, (typeof summedMetrics)[number]>;

/** What is needed of a counted campaign's tally. */
export const summedTally = [
  "uniqueOpens",
  "uniqueClicks",
  "desktopOpens",
  "mobileOpens",
  "glanced",
  "skimmed",
  "read",
  "enpsReactions",
  "enpsScores",
  "enpsPromoters",
  "enpsDetractors",
] as const satisfies (keyof Tally)[];
type SummedTally = Pick<Tally, (typeof summedTally)[number]>;

/** What is needed of a campaign. */
export interface Summand {
  recipientCount: number | null;
  numbers: { reported: SummedMetrics } | { counted: Record<CountedTraffic, SummedTally> };
}

export interface Sums {
  campaigns: number;
  /** Of the campaigns that say how many there are. */
  recipients: number;
  /** Campaigns that do not know recipients, unique opens or unique clicks, and so are not in every rate. */
  unrated: number;
  /** Unique opens, up to the recipients of each campaign, and recipients, of the campaigns that have both. */
  opens: number;
  openRecipients: number;
  /** The same of unique clicks. */
  clicks: number;
  clickRecipients: number;
  /**
   * Hundredths of opens whose device is known. A counted campaign knows each open; a reported one gives percentages, which
   * weigh as much as it has unique opens.
   */
  desktop: number;
  mobile: number;
  /** Hundredths of readings by their length: those of a counted campaign, and percentages of unique opens as above. */
  glanced: number;
  skimmed: number;
  read: number;
  /** eNPS ratings, and their sum; a reported campaign has the mean and the number of them. */
  ratings: number;
  scores: number;
  /** eNPS ratings of counted campaigns: 9 and 10, 0 to 6, and all of them. Reported campaigns know only the mean. */
  promoters: number;
  detractors: number;
  indexed: number;
}

export function emptySums(): Sums {
  return {
    campaigns: 0,
    recipients: 0,
    unrated: 0,
    opens: 0,
    openRecipients: 0,
    clicks: 0,
    clickRecipients: 0,
    desktop: 0,
    mobile: 0,
    glanced: 0,
    skimmed: 0,
    read: 0,
    ratings: 0,
    scores: 0,
    promoters: 0,
    detractors: 0,
    indexed: 0,
  };
}

const names = Object.keys(emptySums()) as (keyof Sums)[];

/** Adds one campaign, with the traffic that its organization counts. */
export function addCampaign(to: Sums, { recipientCount, numbers }: Summand, counted: CountedTraffic): void {
  to.campaigns += 1;
  to.recipients += recipientCount ?? 0;
  if ("counted" in numbers) addCounted(to, numbers.counted[counted], recipientCount);
  else addReported(to, numbers.reported, recipientCount);
}

export function addSums(to: Sums, sums: Sums): void {
  for (const name of names) to[name] += sums[name];
}

function addCounted(to: Sums, tally: SummedTally, recipientCount: number | null): void {
  addUnique(to, tally.uniqueOpens, tally.uniqueClicks, recipientCount);
  to.desktop += 100 * tally.desktopOpens;
  to.mobile += 100 * tally.mobileOpens;
  to.glanced += 100 * tally.glanced;
  to.skimmed += 100 * tally.skimmed;
  to.read += 100 * tally.read;
  to.ratings += tally.enpsReactions;
  to.scores += tally.enpsScores;
  to.promoters += tally.enpsPromoters;
  to.detractors += tally.enpsDetractors;
  to.indexed += tally.enpsReactions;
}

function addReported(to: Sums, metrics: SummedMetrics, recipientCount: number | null): void {
  const { unique_opens: opens, unique_clicks: clicks } = metrics;
  addUnique(to, opens, clicks, recipientCount);
  to.desktop += (metrics.desktop_open_rate ?? 0) * (opens ?? 0);
  to.mobile += (metrics.mobile_open_rate ?? 0) * (opens ?? 0);
  to.glanced += (metrics.read_time_glanced ?? 0) * (opens ?? 0);
  to.skimmed += (metrics.read_time_skimmed ?? 0) * (opens ?? 0);
  to.read += (metrics.read_time_read ?? 0) * (opens ?? 0);
  const { enps_score_average: mean, enps_reactions_count: ratings } = metrics;
  if (mean === null || ratings === null) return;
  to.ratings += ratings;
  to.scores += mean * ratings;
}

function addUnique(
  to: Sums,
  opens: number | null,
  clicks: number | null,
  recipientCount: number | null,
): void {
  if (recipientCount === null || opens === null || clicks === null) to.unrated += 1;
  if (recipientCount === null) return;
  // As in its record: with Overall tracking a campaign may have more devices than recipients.
  if (opens !== null) {
    to.opens += Math.min(opens, recipientCount);
    to.openRecipients += recipientCount;
  }
  if (clicks !== null) {
    to.clicks += Math.min(clicks, recipientCount);
    to.clickRecipients += recipientCount;
  }
}

/** Unique opens by recipients, from 0 to 1: so each campaign weighs as much as it has recipients. Null without recipients. */
export function openRateOf({ opens, openRecipients }: Sums): number | null {
  return openRecipients > 0 ? opens / openRecipients : null;
}

/** The same of unique clicks. */
export function clickRateOf({ clicks, clickRecipients }: Sums): number | null {
  return clickRecipients > 0 ? clicks / clickRecipients : null;
}

/** The parts of some sums in all of them, from 0 to 1; null where all are 0. */
export function sharesOf<Name extends keyof Sums>(
  sums: Sums,
  parts: readonly Name[],
): Record<Name, number | null> {
  const all = parts.reduce((sum, name) => sum + sums[name], 0);
  const shares = parts.map((name) => [name, all > 0 ? sums[name] / all : null]);
  return Object.fromEntries(shares) as Record<Name, number | null>;
}

/** The mean of all eNPS ratings, from 0 to 10; null without any. */
export function enpsMeanOf({ ratings, scores }: Sums): number | null {
  return ratings > 0 ? scores / ratings : null;
}

/**
 * The eNPS index: the percentage of promoters less that of detractors, from -100 to 100. It is none of a record's numbers.
 *
 * @returns null without ratings of counted campaigns
 */
export function enpsIndexOf({ promoters, detractors, indexed }: Sums): number | null {
  return indexed > 0 ? (100 * (promoters - detractors)) / indexed : null;
}
