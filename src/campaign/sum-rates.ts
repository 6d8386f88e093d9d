// Rates over several campaigns, derived from their sums, and how many of the campaigns each comes from.

import type { Sums } from "./sums.ts";

/** From 0 to 1, weighted by recipients; null without recipients. */
export function openRateOf({ opens, openRecipients }: Sums): number | null {
  return openRecipients > 0 ? opens / openRecipients : null;
}

/** From 0 to 1, weighted by recipients; null without recipients. */
export function clickRateOf({ clicks, clickRecipients }: Sums): number | null {
  return clickRecipients > 0 ? clicks / clickRecipients : null;
}

/** The share of the recipients who opened a campaign that clicked a link in it; from 0 to 1, null without opens. */
export function clickToOpenRateOf({ openers, clickers }: Sums): number | null {
  return openers > 0 ? clickers / openers : null;
}

/** The mean eNPS score, from 0 to 10; null without scores. */
export function enpsMeanOf({ ratings, scores }: Sums): number | null {
  return ratings > 0 ? scores / ratings : null;
}

/**
 * The eNPS: the percentage of promoters minus that of detractors, from -100 to 100; null without scores of counted
 * campaigns. Records do not have it.
 */
export function enpsIndexOf({
  promoters,
  detractors,
  indexed,
}: Pick<Sums, "promoters" | "detractors" | "indexed">): number | null {
  return indexed > 0 ? (100 * (promoters - detractors)) / indexed : null;
}

interface CoverageDefinition {
  rate(sums: Sums): number | null;
  /** Campaigns that the rate comes from. */
  from(sums: Sums): number;
  /** Campaigns to which it applies: those that asked for it, or all. */
  of(sums: Sums): number;
}

const ofAll = ({ campaigns }: Sums) => campaigns;
const ofSurveyed = ({ surveyedCampaigns }: Sums) => surveyedCampaigns;
const shareOf = (part: number, total: number) => (total > 0 ? part / total : null);
const deviceShare = (name: "desktop" | "mobile"): CoverageDefinition => ({
  rate: (sums) => shareOf(sums[name], sums.desktop + sums.mobile),
  from: (sums) => sums.deviceCampaigns,
  of: ofAll,
});
const timedShare = (name: "glanced" | "skimmed" | "read"): CoverageDefinition => ({
  rate: (sums) => shareOf(sums[name], sums.glanced + sums.skimmed + sums.read),
  from: (sums) => sums.readCampaigns,
  of: ofAll,
});

/** Every rate that pages show over several campaigns. */
const coveredRates = {
  openRate: { rate: openRateOf, from: (sums) => sums.openCampaigns, of: ofAll },
  clickRate: { rate: clickRateOf, from: (sums) => sums.clickCampaigns, of: ofAll },
  clickToOpenRate: { rate: clickToOpenRateOf, from: (sums) => sums.openedCampaigns, of: ofAll },
  desktopShare: deviceShare("desktop"),
  mobileShare: deviceShare("mobile"),
  glancedShare: timedShare("glanced"),
  skimmedShare: timedShare("skimmed"),
  readShare: timedShare("read"),
  enpsMean: { rate: enpsMeanOf, from: (sums) => sums.ratedCampaigns, of: ofSurveyed },
  enpsIndex: { rate: enpsIndexOf, from: (sums) => sums.indexedCampaigns, of: ofSurveyed },
} as const satisfies Record<string, CoverageDefinition>;

export type CoveredRateName = keyof typeof coveredRates;
export const coveredRateNames = Object.keys(coveredRates) as CoveredRateName[];

export interface CoveredRate {
  /** Null if no campaign has it, or if {@link isTooFew}. */
  rate: number | null;
  /** The rate comes from so many campaigns... */
  from: number;
  /** ...of the so many to which it applies. */
  of: number;
  /** Whether it comes from fewer than half of them, and so says nothing about them. */
  isTooFew: boolean;
}

/** A rate with its coverage. */
export function coveredRateOf(sums: Sums, name: CoveredRateName): CoveredRate {
  const definition: CoverageDefinition = coveredRates[name];
  const [from, of] = [definition.from(sums), definition.of(sums)];
  const isTooFew = 2 * from < of;
  return { rate: isTooFew ? null : definition.rate(sums), from, of, isTooFew };
}
