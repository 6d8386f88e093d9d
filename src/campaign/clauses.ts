// What a colleague would say of a period, and when bounces and spam complaints are unusual.

import type { Range, Ranged } from "./ranges.ts";
import { coveredRateOf } from "./sum-rates.ts";
import type { Sums } from "./sums.ts";

/** Above (1), below or in the usual range at the same age; undefined if it is outside, but chance explains that. */
type Side = -1 | 0 | 1 | undefined;

/** A campaign with its open rate. */
interface NamedCampaign {
  stored: { campaign: { id: number; subject: string } };
  rate: Ranged | null;
}

/** Each clause is undefined where the numbers do not carry it. */
export interface Clauses {
  /** How many campaigns were sent, and how many of them are still counting. */
  sent: { campaigns: number; counting: number };
  /** The open rate of the final campaigns, and the ones before if it differs by more than chance. */
  rate: { rate: Ranged; before: Ranged | null; yearBefore: number | null } | undefined;
  /** Instead, where most campaigns are still counting: the open rate so far, and where it will probably end. */
  soFar: { rate: Ranged; side: Side; likelyEnd: Range | undefined } | undefined;
  /** A campaign that is still counting and differs by more than chance. */
  fresh: (NamedCampaign & { side: Side; likelyEnd: Range | undefined }) | undefined;
  /** A final campaign that differs by more than chance from the others, or from its team. */
  ranked: (NamedCampaign & { which: "best" | "worst" }) | undefined;
  /** The bounce rate, if it is unusual. */
  bounces: { rate: number; usual: Ranged } | undefined;
  /** The rate of spam complaints, if it reaches a limit of mailbox providers. */
  complaints: { rate: number } | undefined;
  /** How many comments there are, or the newest of them, and how many of these have a low rating. */
  comments: { count: number; low: number; isAll: boolean } | undefined;
}

export const minBounces = 10;
const minComplaints = 5;
/** Gmail asks senders to stay below the second one, and from the first one on it and Yahoo put mail into junk. */
export const complaintLimits = [0.003, 0.001] as const;

/** @returns undefined unless many messages bounced, and more than usual by more than chance */
export function bouncesOf(sums: Sums, rate: Ranged | null, usual: Ranged | null) {
  const isHigh = rate && usual && sums.bounce_rate_part >= minBounces && rate.low > usual.high;
  return isHigh ? { rate: rate.value, usual } : undefined;
}

/** @returns the rate with the limit that it reaches; undefined below both, or of few complaints */
export function complaintsOf(sums: Sums) {
  const rate = coveredRateOf(sums, "complaint_rate").rate ?? 0;
  const limit = complaintLimits.find((each) => rate >= each);
  return limit && sums.complaint_rate_part >= minComplaints ? { rate, limit } : undefined;
}
