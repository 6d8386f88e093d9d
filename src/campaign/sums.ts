// Sums over several campaigns. Any two sums can be added; sum-rates.ts derives rates from them.

import type { Tally } from "./events/tally.ts";
import type { TrafficFilter } from "./events/traffic.ts";
import type { ReportedMetrics } from "./metrics.ts";

/** The metrics of a reported campaign that enter sums. */
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

/** The counts of a counted campaign that enter sums. */
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

/** A campaign to add. */
export interface SummedCampaign {
  recipientCount: number | null;
  numbers: { reported: SummedMetrics } | { tallies: Record<TrafficFilter, SummedTally> };
}

export interface Sums {
  campaigns: number;
  /** Recipients of campaigns that report their number. */
  recipients: number;
  /** Campaigns without recipients, unique opens or unique clicks, and so not part of every rate. */
  unrated: number;
  /** Unique opens (per campaign at most its recipients) and recipients, of campaigns that have both. */
  opens: number;
  openRecipients: number;
  /** The same for unique clicks. */
  clicks: number;
  clickRecipients: number;
  /**
   * Opens with a known device, times 100. A counted campaign has their number. A reported one has percentages, which are
   * weighted by its unique opens.
   */
  desktop: number;
  mobile: number;
  /** Reads by length, times 100; percentages of reported campaigns are weighted as above. */
  glanced: number;
  skimmed: number;
  read: number;
  /** The number of eNPS scores, and their sum. A reported campaign gives the mean. */
  ratings: number;
  scores: number;
  /** eNPS scores of counted campaigns: 9 and 10, 0 to 6, and all. Reported campaigns have only the mean. */
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

/** Adds a campaign, with the traffic that its organization counts. */
export function addCampaign(
  to: Sums,
  { recipientCount, numbers }: SummedCampaign,
  traffic: TrafficFilter,
): void {
  to.campaigns += 1;
  to.recipients += recipientCount ?? 0;
  if ("tallies" in numbers) addCounted(to, numbers.tallies[traffic], recipientCount);
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
  // As in its record: Overall tracking counts devices, and there may be more devices than recipients.
  if (opens !== null) {
    to.opens += Math.min(opens, recipientCount);
    to.openRecipients += recipientCount;
  }
  if (clicks !== null) {
    to.clicks += Math.min(clicks, recipientCount);
    to.clickRecipients += recipientCount;
  }
}
