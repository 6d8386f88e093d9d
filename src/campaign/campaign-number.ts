// The numbers of one campaign that pages list, sort by and filter: counts, exact rates, and whether it has surveys.

import type { Campaign, CampaignKind } from "./campaign.ts";
import { campaignRange, campaignRate } from "./campaign-rates.ts";
import type { TrafficFilter } from "./events/traffic.ts";
import type { MetricName, Numbers } from "./metrics.ts";
import { type Ranged, withRange } from "./ranges.ts";
import type { CoveredRateName } from "./sum-rates.ts";
import { ofTraffic } from "./sums.ts";

export const countNames = ["recipient_count", "unique_opens", "unique_clicks", "comments_count"] as const;
export type CountName = (typeof countNames)[number];
/** A number that a campaign may have. */
export type NumberName = CountName | CoveredRateName;

/** A campaign with its numbers, as it is stored. */
interface NumberedCampaign {
  campaign: Pick<Campaign, "recipientCount" | "surveysCount">;
  numbers: Numbers;
}

/** A closed campaign is a counted one whose numbers are final. */
export type KindOfNumbers = CampaignKind | "closed";

export function isCount(name: NumberName): name is CountName {
  return (countNames as readonly string[]).includes(name);
}

/** A number of a campaign; null if it is not known. */
export function numberOf(stored: NumberedCampaign, traffic: TrafficFilter, name: NumberName): number | null {
  if (!isCount(name)) return campaignRate(ofTraffic(stored, traffic), name);
  const { campaign, numbers } = stored;
  if (name === "recipient_count") return campaign.recipientCount;
  if ("tallies" in numbers) {
    const { uniqueOpens, uniqueClicks, enpsComments, surveyComments } = numbers.tallies[traffic];
    if (name === "comments_count") return enpsComments + surveyComments;
    return name === "unique_opens" ? uniqueOpens : uniqueClicks;
  }
  const { reported } = numbers;
  return name === "comments_count"
    ? sumOfKnown(reported, ["enps_comments_count", "survey_reactions_comments_count"])
    : reported[name];
}

/** A rate of a campaign with its range; null if it is not known. */
export function rangedRate(
  stored: NumberedCampaign,
  traffic: TrafficFilter,
  name: CoveredRateName,
): Ranged | null {
  const rate = numberOf(stored, traffic, name);
  if (rate === null) return null;
  return withRange(rate, campaignRange(ofTraffic(stored, traffic), name));
}

/** The ratings and other answers of readers; null if an import has neither number. */
export function answersOf({ numbers }: Pick<NumberedCampaign, "numbers">): number | null {
  if ("reported" in numbers) {
    return sumOfKnown(numbers.reported, ["enps_reactions_count", "survey_reactions_count"]);
  }
  const { enpsReactions, surveyReactions } = numbers.tallies.people;
  return enpsReactions + surveyReactions;
}

function sumOfKnown(metrics: Record<MetricName, number | null>, names: readonly MetricName[]): number | null {
  const known = names.map((name) => metrics[name]).filter((value) => value !== null);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : null;
}

/** Campaigns have eNPS ratings, any surveys, or none. */
export const surveyFilters = ["rated", "some", "none"] as const;
export type SurveyFilter = (typeof surveyFilters)[number];

/** A campaign has surveys if its sender says so, or if one was answered. A rated one has some. */
export function surveysOf(stored: NumberedCampaign): SurveyFilter {
  const { numbers, campaign } = stored;
  const ratings =
    "reported" in numbers ? numbers.reported.enps_reactions_count : numbers.tallies.people.enpsReactions;
  if ((ratings ?? 0) > 0) return "rated";
  return (answersOf(stored) ?? 0) > 0 || (campaign.surveysCount ?? 0) > 0 ? "some" : "none";
}
