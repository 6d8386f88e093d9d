// What a colleague would say of a period.

import type { Range, Ranged } from "./ranges.ts";

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
  /** How many comments there are, or the newest of them, and how many of these have a low rating. */
  comments: { count: number; low: number; isAll: boolean } | undefined;
}
