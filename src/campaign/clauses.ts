// What a colleague would say of a period.

import type { Range, Ranged } from "./ranges.ts";

/** A campaign with its open rate. */
interface NamedCampaign {
  stored: { campaign: { id: number; subject: string } };
  rate: Ranged | null;
}

/** Each clause is undefined where the numbers do not carry it. */
export interface Clauses {
  /** How many campaigns were sent, and how many of them are still counting. */
  sent: { campaigns: number; counting: number };
  /** The open rate of the final campaigns, and the one before if it differs by more than chance. */
  rate: { rate: Ranged; before: Ranged | null; isSeasonal: boolean } | undefined;
  /** A campaign that is still counting. The side is above (1), below or in the usual range at its age. */
  fresh: (NamedCampaign & { side: -1 | 0 | 1 | undefined; likelyEnd: Range | undefined }) | undefined;
  /** A final campaign that differs by more than chance from the others, or from its team. */
  ranked: (NamedCampaign & { which: "best" | "worst" }) | undefined;
  /** How many comments there are, or the newest of them, and how many of these have a low rating. */
  comments: { count: number; low: number; isAll: boolean } | undefined;
}
