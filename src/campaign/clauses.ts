// What a colleague would say of a period.

import type { Range, Ranged } from "./ranges.ts";

type NamedCampaign = Record<"campaign", { id: number; subject: string }>;

/** Each clause is undefined where the numbers do not carry it. */
export interface Clauses {
  /** How many campaigns were sent, and how many of them are still counting. */
  sent: { campaigns: number; counting: number };
  /** The open rate of the final campaigns, and the one before if it differs by more than chance. */
  rate: { rate: Ranged; before: Ranged | null; isSeasonal: boolean } | undefined;
  /** A campaign that is still counting. `side` is above, below or in the usual range at its age. */
  fresh:
    | (NamedCampaign & {
        rate: number;
        side: "above" | "below" | "usual" | undefined;
        likelyEnd: Range | undefined;
      })
    | undefined;
  /** A final campaign that differs by more than chance from the others, or from its team. */
  ranked: (NamedCampaign & { rate: number; which: "best" | "worst"; by: "rate" | "team" }) | undefined;
  /** How many comments there are, or the newest of them, and how many of these have a low rating. */
  comments: { count: number; low: number; isAll: boolean } | undefined;
}
