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
import type { Range, Ranged } from "../../campaign/ranges.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { readComparable, toAgedCampaign } from "./aged-campaigns.ts";

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
): Promise<SameAge | undefined> {
  const own = toAgedCampaign(stored, traffic);
  if (!own) return undefined;
  const comparable = await readComparable(scope, own, { traffic, now });
  const isOfTeam = comparable.every((each) => each.team === own.team);
  return { own, age: reachedAge(own.sentAt, now), comparable, team: isOfTeam ? own.team : null };
}

/** A rate at an age in milliseconds, with the usual rate at that age. */
export interface RatesAtAge {
  age: number;
  rate: Ranged;
  usual: Ranged;
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

/** Where the open rate will probably end; undefined if it is too early to tell. */
export function likelyEndOf({ own, age, comparable }: SameAge): Range | undefined {
  const forecast = age === undefined ? undefined : forecastOpens(own, comparable, age);
  if (!forecast || !isNarrow(forecast)) return undefined;
  // Since the last age, more may have opened it than the forecast knows.
  const reached = rateNow(own).value;
  return { low: Math.max(forecast.low, reached), high: Math.max(forecast.high, reached) };
}
