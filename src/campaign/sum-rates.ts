// Rates over several campaigns, derived from their sums, and how many of the campaigns each comes from.

import type { TrafficFilter } from "./events/traffic.ts";
import type { Sums } from "./sums.ts";

interface RateDefinition {
  /** The rate is a part of a whole. */
  part(sums: Sums): number;
  whole(sums: Sums): number;
  /** Campaigns that the rate comes from. */
  from(sums: Sums): number;
  /** Campaigns to which it applies: those that asked for it, or all. */
  of(sums: Sums): number;
  /** The recipients of all campaigns, if the whole is recipients. */
  recipients?(sums: Sums): number;
  /** It has automated activity if all traffic counts. Reads and survey answers are always human. */
  mayBeAutomated?: true;
}

const ofAll = ({ campaigns }: Sums) => campaigns;
const weighted = {
  of: ofAll,
  recipients: ({ recipients }: Sums) => recipients,
  mayBeAutomated: true,
} as const;
const ofSurveyed = ({ surveyedCampaigns }: Sums) => surveyedCampaigns;
const devices = {
  whole: ({ desktop, mobile }: Sums) => desktop + mobile,
  from: ({ deviceCampaigns }: Sums) => deviceCampaigns,
  of: ofAll,
  mayBeAutomated: true,
} as const;
const reads = {
  whole: ({ glanced, skimmed, read }: Sums) => glanced + skimmed + read,
  from: ({ readCampaigns }: Sums) => readCampaigns,
  of: ofAll,
};

/** Every rate of campaigns that pages show: from 0 to 1, if not said otherwise. */
const coveredRates = {
  /** Weighted by recipients, as the next. */
  openRate: {
    part: ({ opens }) => opens,
    whole: ({ openRecipients }) => openRecipients,
    from: ({ openCampaigns }) => openCampaigns,
    ...weighted,
  },
  clickRate: {
    part: ({ clicks }) => clicks,
    whole: ({ clickRecipients }) => clickRecipients,
    from: ({ clickCampaigns }) => clickCampaigns,
    ...weighted,
  },
  /** The share of the recipients who opened a campaign that clicked a link in it. */
  clickToOpenRate: {
    part: ({ clickers }) => clickers,
    whole: ({ openers }) => openers,
    from: ({ openedCampaigns }) => openedCampaigns,
    of: ofAll,
    mayBeAutomated: true,
  },
  desktopShare: { part: ({ desktop }) => desktop, ...devices },
  mobileShare: { part: ({ mobile }) => mobile, ...devices },
  glancedShare: { part: ({ glanced }) => glanced, ...reads },
  skimmedShare: { part: ({ skimmed }) => skimmed, ...reads },
  readShare: { part: ({ read }) => read, ...reads },
  /** The mean eNPS score, from 0 to 10. */
  enpsMean: {
    part: ({ scores }) => scores,
    whole: ({ ratings }) => ratings,
    from: ({ ratedCampaigns }) => ratedCampaigns,
    of: ofSurveyed,
  },
  /**
   * The eNPS: the percentage of promoters minus that of detractors, from -100 to 100, of counted campaigns. Records do not
   * have it.
   */
  enpsIndex: {
    part: ({ promoters, detractors }) => 100 * (promoters - detractors),
    whole: ({ indexed }) => indexed,
    from: ({ indexedCampaigns }) => indexedCampaigns,
    of: ofSurveyed,
  },
} as const satisfies Record<string, RateDefinition>;

export type CoveredRateName = keyof typeof coveredRates;
export const coveredRateNames = Object.keys(coveredRates) as CoveredRateName[];

/** What a rate comes from. Each of these numbers adds up over campaigns. */
export interface RateParts {
  part: number;
  whole: number;
  from: number;
  of: number;
  /** The recipients of all campaigns; 0 if the rate is not weighted by recipients. */
  recipients: number;
  /** Those of the campaigns whose automated activity is known; all if the rate never has some. */
  toldApart: number;
}

export function ratePartsOf(sums: Sums, name: CoveredRateName): RateParts {
  const { part, whole, from, of, recipients, mayBeAutomated }: RateDefinition = coveredRates[name];
  return {
    part: part(sums),
    whole: whole(sums),
    from: from(sums),
    of: of(sums),
    recipients: recipients?.(sums) ?? 0,
    toldApart: mayBeAutomated ? sums.countedCampaigns : of(sums),
  };
}

/** Writes {@link RateParts} in their order: an object of each of a hundred thousand campaigns would take half of the time. */
export function writeRateParts(sums: Sums, name: CoveredRateName, into: Float64Array): void {
  const definition: RateDefinition = coveredRates[name];
  into[0] = definition.part(sums);
  into[1] = definition.whole(sums);
  into[2] = definition.from(sums);
  into[3] = definition.of(sums);
  into[4] = definition.recipients?.(sums) ?? 0;
  into[5] = definition.mayBeAutomated ? sums.countedCampaigns : definition.of(sums);
}

/** How many numbers {@link writeRateParts} writes. */
export const ratePartsLength = 6;

/** The parts that {@link writeRateParts} wrote, or sums of them. */
export function readRateParts(from: Float64Array): RateParts {
  const at = (index: number) => from[index] as number;
  return { part: at(0), whole: at(1), from: at(2), of: at(3), recipients: at(4), toldApart: at(5) };
}

export interface CoveredRate {
  /** Null if no campaign has it, or if {@link isTooFew}. */
  rate: number | null;
  /** The rate comes from so many campaigns... */
  from: number;
  /** ...of the so many to which it applies. */
  of: number;
  /** What `from` and `of` count: recipients if those are too few, and the campaigns are not. */
  counts: "campaigns" | "recipients";
  /** Whether it comes from fewer than half of the campaigns or of their recipients, and so says nothing about them. */
  isTooFew: boolean;
}

/** A rate with its coverage. */
export function coveredRateOf(sums: Sums, name: CoveredRateName): CoveredRate {
  const parts = ratePartsOf(sums, name);
  const { whole, from, of, recipients } = parts;
  const ofRecipients = !isTooFew(from, of) && isTooFew(whole, recipients);
  return {
    rate: rateOfParts(parts),
    ...(ofRecipients
      ? { from: whole, of: recipients, counts: "recipients" }
      : { from, of, counts: "campaigns" }),
    isTooFew: ofRecipients || isTooFew(from, of),
  };
}

/** The rate of {@link RateParts}; null if too few campaigns or recipients have it, or of nothing or too large sums. */
export function rateOfParts({ part, whole, from, of, recipients }: RateParts): number | null {
  if (!Number.isFinite(part) || !Number.isFinite(whole)) return null;
  return whole === 0 || isTooFew(from, of) || isTooFew(whole, recipients) ? null : part / whole;
}

/**
 * Whether a rate can be compared with that of other campaigns. An imported number may be human or all activity, so rates of
 * all activity need at least half of the campaigns counted by this service.
 */
export function isComparable({ of, toldApart }: RateParts, traffic: TrafficFilter): boolean {
  return traffic === "people" || !isTooFew(toldApart, of);
}

/** Whether a rate of some campaigns can be compared with that of others, as {@link isComparable} for both. */
export function areComparable(
  one: Sums,
  other: Sums,
  { name, traffic }: { name: CoveredRateName; traffic: TrafficFilter },
): boolean {
  return [one, other].every((sums) => isComparable(ratePartsOf(sums, name), traffic));
}

function isTooFew(from: number, of: number): boolean {
  return 2 * from < of;
}
