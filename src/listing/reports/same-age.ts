// How a campaign that is still counting compares with the usual at its age, and where its open rate will probably end.

import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import {
  type AgedCampaign,
  forecastOpens,
  isNarrow,
  rateAt,
  rateNow,
  reachedAge,
  usualRate,
} from "../../campaign/forecast.ts";
import { type Range, type Ranged, shareRange, withRange } from "../../campaign/ranges.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { type ComparableReader, comparableReader, toAgedCampaign } from "./aged-campaigns.ts";

/** A counted campaign beside those that it is compared with at the same age. */
export interface SameAge {
  own: AgedCampaign;
  /** The last age that it has reached; undefined before the first. */
  age: number | undefined;
  /** The campaigns to compare with; empty if there are too few. */
  comparable: readonly AgedCampaign[];
  /** The team of all of these; null if they are of several, or of none. */
  team: string | null;
}

/** @returns undefined if the campaign was imported or has no recipients */
export async function readSameAge(
  scope: Scope,
  stored: StoredCampaign,
  { traffic, now }: { traffic: TrafficFilter; now: number },
  findComparable: ComparableReader = comparableReader(scope, stored.campaign.sentAt, { traffic, now }),
): Promise<SameAge | undefined> {
  const own = toAgedCampaign(stored, traffic);
  if (!own) return undefined;
  const comparable = await findComparable(own);
  const isOfTeam = comparable.every((each) => each.team === own.team);
  return { own, age: reachedAge(own.sentAt, now), comparable, team: isOfTeam ? own.team : null };
}

/** The rate of campaigns, each at its age, with the usual rate at these ages. */
export interface ComparedRates {
  rate: Ranged;
  usual: Ranged;
}

/** The same of one campaign, at an age in milliseconds. */
export interface RatesAtAge extends ComparedRates {
  age: number;
}

/** The open or click rate at the last age with the usual one at that age; undefined if there is none to compare with. */
export function ratesAtAge(
  { own, age, comparable }: SameAge,
  name: "openRate" | "clickRate",
): RatesAtAge | undefined {
  const spans = name === "openRate" ? "opensByAge" : "clicksByAge";
  const usual = age === undefined ? null : usualRate(comparable, spans, age);
  return age === undefined || usual === null ? undefined : { age, rate: rateAt(own, spans, age), usual };
}

/**
 * The rate of campaigns, each at its last age, with the usual one: the mean of the usual rates of each, weighted by their
 * recipients, as is its range. So a week that differs as a whole is no surer than one campaign. Undefined if less than half
 * of the recipients are those of campaigns that can be compared.
 */
export function ratesTogether(
  campaigns: readonly SameAge[],
  name: "openRate" | "clickRate",
): ComparedRates | undefined {
  let [all, opened, compared, value, low, high] = [0, 0, 0, 0, 0, 0];
  for (const each of campaigns) {
    const { recipientCount } = each.own;
    all += recipientCount;
    const rates = ratesAtAge(each, name);
    if (!rates) continue;
    compared += recipientCount;
    opened += recipientCount * rates.rate.value;
    value += recipientCount * rates.usual.value;
    low += recipientCount * rates.usual.low;
    high += recipientCount * rates.usual.high;
  }
  if (compared === 0 || 2 * compared < all) return undefined;
  const rate = withRange(opened / compared, shareRange(opened, compared));
  return { rate, usual: { value: value / compared, low: low / compared, high: high / compared } };
}

/** Where the open rate of campaigns will probably end together; undefined if it is too early to tell. */
export function likelyEndOf(campaigns: readonly SameAge[]): Range | undefined {
  const forecast = forecastOpens(campaigns);
  if (!forecast || !isNarrow(forecast)) return undefined;
  // Since the last age, more may have opened them than the forecast knows.
  const recipients = sumOf(campaigns, ({ recipientCount }) => recipientCount);
  const reached = sumOf(campaigns, (own) => own.recipientCount * rateNow(own).value) / recipients;
  return { low: Math.max(forecast.low, reached), high: Math.max(forecast.high, reached) };
}

const sumOf = (campaigns: readonly SameAge[], value: (own: AgedCampaign) => number) =>
  campaigns.reduce((sum, { own }) => sum + value(own), 0);
