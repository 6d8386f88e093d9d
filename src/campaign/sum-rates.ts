// Rates over several campaigns, derived from their sums, and how many of the campaigns each comes from.

import { type DeliveryRate, deliveryRateNames } from "./delivery/delivery-fields.ts";
import type { TrafficFilter } from "./events/traffic.ts";
import type { SummandName, Sums } from "./sums.ts";

/** Numbers that are added up, each with its factor. */
export type Summands = Partial<Record<SummandName, number>>;

/** Each part of a rate adds up over campaigns, so SQL and memory add up the same. */
interface RateDefinition {
  /** The rate is a part of a whole. */
  part: Summands;
  whole: Summands;
  /**
   * The squares of what the part adds up: an opener is 1 and all others 0, a promoter 100 and a detractor -100. So the
   * variance of a rate is known. Empty if it is not.
   */
  squares: Summands;
  /** Campaigns that the rate comes from. */
  from: Summands;
  /** Campaigns to which it applies: those that asked for it, or all. */
  of: Summands;
  /** Campaigns whose automated activity is known. Reads and survey answers are always human, so that it is known of all. */
  toldApart: Summands;
}

const ofAll = { of: { settledCampaigns: 1 }, toldApart: { settledCounted: 1 } };
const ofSurveyed = { of: { surveyedCampaigns: 1 }, toldApart: { surveyedCampaigns: 1 } };
const devices = { ...ofAll, whole: { desktop: 1, mobile: 1 }, from: { deviceCampaigns: 1 } };
const reads = {
  ...ofAll,
  whole: { glanced: 1, skimmed: 1, read: 1 },
  from: { readCampaigns: 1 },
  toldApart: { settledCampaigns: 1 },
};

/** A recipient adds 1 to the part, and so to its squares. */
const shareOf = <Rest extends Omit<RateDefinition, "part" | "squares">>(part: SummandName, rest: Rest) => ({
  ...rest,
  part: { [part]: 1 },
  squares: { [part]: 1 },
});

/** What became of messages is known whatever the traffic; whether they were opened is not. */
const deliveryCoveredRates = Object.fromEntries(
  deliveryRateNames.map((name): [DeliveryRate, RateDefinition] => [
    name,
    shareOf(`${name}_part`, {
      whole: { [`${name}_whole`]: 1 },
      from: { [`${name}_campaigns`]: 1 },
      of: ofAll.of,
      toldApart: name === "open_rate_of_delivered" ? ofAll.toldApart : ofAll.of,
    }),
  ]),
) as Record<DeliveryRate, RateDefinition>;

/** Every rate of campaigns that pages show: from 0 to 1, if not said otherwise. */
const coveredRates = {
  /** The rate is weighted by recipients, like the next one. */
  openRate: shareOf("opens", { whole: { openRecipients: 1 }, from: { openCampaigns: 1 }, ...ofAll }),
  clickRate: shareOf("clicks", { whole: { clickRecipients: 1 }, from: { clickCampaigns: 1 }, ...ofAll }),
  /** The share of the recipients who opened a campaign that clicked a link in it. */
  clickToOpenRate: shareOf("clickers", { whole: { openers: 1 }, from: { openedCampaigns: 1 }, ...ofAll }),
  desktopShare: shareOf("desktop", devices),
  mobileShare: shareOf("mobile", devices),
  glancedShare: shareOf("glanced", reads),
  skimmedShare: shareOf("skimmed", reads),
  readShare: shareOf("read", reads),
  /** The mean eNPS score, from 0 to 10. */
  enpsMean: {
    part: { scores: 1 },
    whole: { ratings: 1 },
    squares: {},
    from: { ratedCampaigns: 1 },
    ...ofSurveyed,
  },
  /**
   * The eNPS: the percentage of promoters minus that of detractors, from -100 to 100, of counted campaigns. Records do not
   * have it.
   */
  enpsIndex: {
    part: { promoters: 100, detractors: -100 },
    whole: { indexed: 1 },
    squares: { promoters: 10_000, detractors: 10_000 },
    from: { indexedCampaigns: 1 },
    ...ofSurveyed,
  },
  ...deliveryCoveredRates,
} as const satisfies Record<string, RateDefinition>;

export type CoveredRateName = keyof typeof coveredRates;
export const coveredRateNames = Object.keys(coveredRates) as CoveredRateName[];

export const ratePartNames = [
  "part",
  "whole",
  "squares",
  "from",
  "of",
  "toldApart",
] as const satisfies (keyof RateDefinition)[];

export type RatePartName = keyof RateDefinition;

/** What a rate comes from. Each of these numbers adds up over campaigns. */
export type RateParts = Record<RatePartName, number>;

/** What adds up to each part of a rate. */
export function termsOf(name: CoveredRateName): RateDefinition {
  return coveredRates[name];
}

export function ratePartsOf(sums: Sums, name: CoveredRateName): RateParts {
  const terms = termsOf(name);
  return readRateParts(ratePartNames.map((part) => addTerms(terms[part], sums)));
}

function addTerms(terms: Summands, sums: Sums): number {
  let total = 0;
  for (const name in terms) total += (terms[name as SummandName] ?? 0) * sums[name as SummandName];
  return total;
}

/** @param from the parts of a rate in their order */
export function readRateParts(from: ArrayLike<number>): RateParts {
  const at = (index: number) => from[index] ?? 0;
  return { part: at(0), whole: at(1), squares: at(2), from: at(3), of: at(4), toldApart: at(5) };
}

interface CoveredRate {
  /** Null if no campaign has it. */
  rate: number | null;
  /** The number of campaigns that the rate comes from. */
  from: number;
  /** The number of campaigns that it applies to. */
  of: number;
}

/** A rate with its coverage. */
export function coveredRateOf(sums: Sums, name: CoveredRateName): CoveredRate {
  const parts = ratePartsOf(sums, name);
  return { rate: rateOfParts(parts), from: parts.from, of: parts.of };
}

/** The rate of {@link RateParts}; null of nothing, or of too large sums. */
export function rateOfParts({ part, whole }: RateParts): number | null {
  return whole === 0 || !Number.isFinite(part) || !Number.isFinite(whole) ? null : part / whole;
}

/**
 * Whether a rate can be compared with that of other campaigns. An imported number may be human or all activity, so rates of
 * all activity need at least half of the campaigns counted by this service.
 */
export function isComparable({ of, toldApart }: RateParts, traffic: TrafficFilter): boolean {
  return traffic === "people" || 2 * toldApart >= of;
}

/** Whether a rate of some campaigns can be compared with that of others, as {@link isComparable} for both. */
export function areComparable(
  one: Sums,
  other: Sums,
  { name, traffic }: { name: CoveredRateName; traffic: TrafficFilter },
): boolean {
  return [one, other].every((sums) => isComparable(ratePartsOf(sums, name), traffic));
}
