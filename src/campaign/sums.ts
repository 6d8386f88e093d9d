// Sums over several campaigns. Any two sums can be added; sum-rates.ts derives rates from them, with their coverage.

import { deliveryPartsOf } from "./delivery/delivery-counts.ts";
import { type DeliveryCount, deliveryRateNames } from "./delivery/delivery-fields.ts";
import type { Tally } from "./events/tally.ts";
import type { TrafficFilter } from "./events/traffic.ts";
import type { Numbers, ReportedMetrics, WithheldResults } from "./metrics.ts";

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
  "survey_reactions_count",
] as const satisfies (keyof ReportedMetrics)[];
type SummedMetrics = Pick<ReportedMetrics, (typeof summedMetrics)[number] | DeliveryCount>;

/** The counts of a counted campaign that enter sums. */
type SummedTally = Pick<
  Tally,
  | "uniqueOpens"
  | "uniqueClicks"
  | "desktopOpens"
  | "mobileOpens"
  | "glanced"
  | "skimmed"
  | "read"
  | "enpsReactions"
  | "enpsScores"
  | "enpsPromoters"
  | "enpsDetractors"
  | "surveyReactions"
  | "outcomes"
>;

/** A campaign to add, with the tally of one traffic. */
export interface SummedCampaign {
  recipientCount: number | null;
  surveysCount: number | null;
  numbers: ({ reported: SummedMetrics } | { tally: SummedTally }) & WithheldResults;
}

/** Returns a campaign with its numbers of one traffic. */
export function ofTraffic<Fields extends object>(
  { campaign, numbers }: { campaign: Fields; numbers: Numbers },
  traffic: TrafficFilter,
): Fields & { numbers: ({ reported: ReportedMetrics } | { tally: Tally }) & WithheldResults } {
  if ("reported" in numbers) return { ...campaign, numbers };
  const { tallies, ...withheld } = numbers;
  return { ...campaign, numbers: { tally: tallies[traffic], ...withheld } };
}

const campaignSummands = [
  "campaigns",
  /** Campaigns that the service counted. Only they tell automated activity apart. */
  "countedCampaigns",
  /** Recipients of campaigns that report their number. */
  "recipients",
  /** The first two without campaigns that are still counting, to which no other number applies. */
  "settledCampaigns",
  "settledCounted",
  /** Unique opens (per campaign at most its recipients) and recipients, of campaigns that have both; their number. */
  "opens",
  "openRecipients",
  "openCampaigns",
  /** The same for unique clicks. */
  "clicks",
  "clickRecipients",
  "clickCampaigns",
  /** Recipients who opened and recipients who clicked, of campaigns that report both and were opened; their number. */
  "openers",
  "clickers",
  "openedCampaigns",
  /**
   * Opens with a known device, times 100. A counted campaign has their number. A reported one has percentages, which are
   * weighted by its unique opens.
   */
  "desktop",
  "mobile",
  "deviceCampaigns",
  /** Reads by length, times 100; percentages of reported campaigns are weighted as above. */
  "glanced",
  "skimmed",
  "read",
  "readCampaigns",
  /** The number of eNPS scores, and their sum. A reported campaign gives the mean. */
  "ratings",
  "scores",
  "ratedCampaigns",
  /** eNPS scores of counted campaigns: 9 and 10, 0 to 6, and all. Reported campaigns have only the mean. */
  "promoters",
  "detractors",
  "indexed",
  "indexedCampaigns",
  /** Campaigns with eNPS scores, or with surveys of which no answer shows that they ask for something else. */
  "surveyedCampaigns",
  /** The surveyed campaigns without any answer. */
  "unansweredCampaigns",
  /** Campaigns without answers whose sender did not say whether they had surveys. */
  "maybeSurveyedCampaigns",
] as const;

/** The part and the whole of a rate, over the campaigns that have both, and their number. */
const deliverySummands = deliveryRateNames.flatMap(
  (name) => [`${name}_part`, `${name}_whole`, `${name}_campaigns`] as const,
);

const sumNames = [...campaignSummands, ...deliverySummands];
export type Sums = Record<(typeof sumNames)[number], number>;

const noSums = Object.fromEntries(sumNames.map((name) => [name, 0])) as Sums;

export const emptySums = (): Sums => ({ ...noSums });

export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

export const snakeCase = <Name extends string>(name: Name) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as SnakeCase<Name>;

/** What one campaign adds; it is always one campaign. */
export type SummandName = Exclude<keyof Sums, "campaigns">;

/** The numbers of reported campaigns that are no counts, so they may have a fraction. */
export const fractionalSummands: readonly SummandName[] = [
  ...(["desktop", "mobile", "glanced", "skimmed", "read", "scores"] as const),
];

/** A column per summand. */
export type SumColumns = { [Name in SummandName as SnakeCase<Name>]: number };

/** Each summand with its column. */
export const summandColumns = sumNames
  .filter((name) => name !== "campaigns")
  .map((name) => [name, snakeCase(name)] as const);

/** How many campaigns are left out of rates and comparisons, because they are still counting. */
export const leftOutOf = ({ campaigns, settledCampaigns }: Sums): number => campaigns - settledCampaigns;

export function addCampaign(to: Sums, campaign: SummedCampaign): void {
  const { recipientCount, numbers } = campaign;
  to.campaigns += 1;
  to.recipients += recipientCount ?? 0;
  to.settledCampaigns += 1;
  if ("tally" in numbers) addCounted(to, numbers.tally, campaign);
  else addReported(to, numbers.reported, campaign);
  addDelivery(to, campaign);
}

function addDelivery(to: Sums, { numbers, recipientCount }: SummedCampaign): void {
  const known = deliveryPartsOf(numbers, recipientCount);
  for (const name of deliveryRateNames) {
    const parts = known[name];
    if (!parts || !isAddable(parts.whole)) continue;
    to[`${name}_part`] += parts.part;
    to[`${name}_whole`] += parts.whole;
    to[`${name}_campaigns`] += 1;
  }
}

export function addSums(to: Sums, sums: Sums): void {
  for (const name of sumNames) to[name] += sums[name];
}

function addCounted(
  to: Sums,
  tally: SummedTally,
  { recipientCount, surveysCount, numbers }: SummedCampaign,
): void {
  to.countedCampaigns += 1;
  to.settledCounted += 1;
  addUnique(to, tally.uniqueOpens, tally.uniqueClicks, recipientCount);
  to.desktop += 100 * tally.desktopOpens;
  to.mobile += 100 * tally.mobileOpens;
  if (tally.desktopOpens + tally.mobileOpens > 0) to.deviceCampaigns += 1;
  to.glanced += 100 * tally.glanced;
  to.skimmed += 100 * tally.skimmed;
  to.read += 100 * tally.read;
  if (tally.glanced + tally.skimmed + tally.read > 0) to.readCampaigns += 1;
  addSurveyed(to, tally.enpsReactions, tally.surveyReactions, surveysCount);
  // Totals with and without a campaign would give away its results.
  if (numbers.withheldBelow !== undefined) return;
  addRatings(to, tally.enpsReactions, tally.enpsScores);
  to.promoters += tally.enpsPromoters;
  to.detractors += tally.enpsDetractors;
  to.indexed += tally.enpsReactions;
  if (tally.enpsReactions > 0) to.indexedCampaigns += 1;
}

/** Beyond this, sums are no longer exact, and those of the database may overflow. */
const isAddable = (number: number) => number <= Number.MAX_SAFE_INTEGER;

/** Leaves out numbers too large to add up: imports are stored as given, and one must not spoil the sums of the others. */
function addReported(
  to: Sums,
  metrics: SummedMetrics,
  { recipientCount, surveysCount }: SummedCampaign,
): void {
  const { unique_opens: opens, unique_clicks: clicks } = metrics;
  addUnique(to, opens, clicks, recipientCount);
  const weight = opens ?? 0;
  const { desktop_open_rate: desktop, mobile_open_rate: mobile } = metrics;
  // One of them alone is no share: the others would be 0.
  if (desktop !== null && mobile !== null && isAddable((desktop + mobile) * weight)) {
    to.desktop += desktop * weight;
    to.mobile += mobile * weight;
    if ((desktop + mobile) * weight > 0) to.deviceCampaigns += 1;
  }
  const { read_time_glanced: glanced, read_time_skimmed: skimmed, read_time_read: read } = metrics;
  const reads = (glanced ?? 0) + (skimmed ?? 0) + (read ?? 0);
  if (glanced !== null && skimmed !== null && read !== null && isAddable(reads * weight)) {
    to.glanced += glanced * weight;
    to.skimmed += skimmed * weight;
    to.read += read * weight;
    if (reads * weight > 0) to.readCampaigns += 1;
  }
  const { enps_score_average: mean, enps_reactions_count: ratings } = metrics;
  const scores = (mean ?? 0) * (ratings ?? 0);
  if (mean !== null && ratings !== null && isAddable(scores)) addRatings(to, ratings, scores);
  addSurveyed(to, ratings, metrics.survey_reactions_count, surveysCount);
}

function addUnique(
  to: Sums,
  opens: number | null,
  clicks: number | null,
  recipientCount: number | null,
): void {
  if (opens !== null && clicks !== null && opens > 0) {
    to.openers += opens;
    to.clickers += clicks;
    to.openedCampaigns += 1;
  }
  if (recipientCount === null) return;
  // The parts have limits as in its record: Overall tracking may count more devices than recipients.
  if (opens !== null) {
    to.opens += Math.min(opens, recipientCount);
    to.openRecipients += recipientCount;
    if (recipientCount > 0) to.openCampaigns += 1;
  }
  if (clicks !== null) {
    to.clicks += Math.min(clicks, recipientCount);
    to.clickRecipients += recipientCount;
    if (recipientCount > 0) to.clickCampaigns += 1;
  }
}

function addRatings(to: Sums, ratings: number, scores: number): void {
  to.ratings += ratings;
  to.scores += scores;
  if (ratings > 0) to.ratedCampaigns += 1;
}

/** How many surveys ask for an eNPS score is not known, only how many there are. */
function addSurveyed(
  to: Sums,
  ratings: number | null,
  otherAnswers: number | null,
  surveysCount: number | null,
): void {
  if (ratings !== null && ratings > 0) {
    to.surveyedCampaigns += 1;
    return;
  }
  if (otherAnswers !== null && otherAnswers > 0) return;
  if (surveysCount === null) to.maybeSurveyedCampaigns += 1;
  else if (surveysCount > 0) {
    to.surveyedCampaigns += 1;
    if (ratings !== null && otherAnswers !== null) to.unansweredCampaigns += 1;
  }
}
