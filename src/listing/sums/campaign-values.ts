// The campaigns of a list, by the value that it is sorted by.

import { isCount, type NumberName } from "../../campaign/campaign-number.ts";
import { rateOrGiven } from "../../campaign/campaign-rates.ts";
import { foldCase } from "../../campaign/fields/fold-case.ts";
import { readRateParts } from "../../campaign/sum-rates.ts";
import type { EmailKey } from "../../storage/campaigns/emails.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { type CampaignValue, findRates, findValues } from "../../storage/sums/find-values.ts";
import type { SumsFilter } from "../../storage/sums/sums-filter.ts";

/** What campaigns are sorted by: a field or a number. */
export type SortKey = "sent_at" | "subject" | "team" | "kind" | NumberName;

/**
 * All campaigns that match, in order. Those without a value come last, and those with the same value newest first. Texts
 * are in the order of their characters; subjects without regard to letter case.
 */
export async function sortCampaigns(
  scope: Scope,
  filter: SumsFilter,
  { by, isAscending }: { by: SortKey; isAscending: boolean },
): Promise<EmailKey[]> {
  const sign = isAscending ? 1 : -1;
  if (by === "sent_at") {
    const kinds = await findValues(scope, filter, "kind");
    return isAscending ? kinds.reverse() : kinds;
  }
  const values = await valuesOf(scope, filter, by);
  return values.sort(({ value: one }, { value: other }) => {
    if (one === other) return 0;
    if (one === null || other === null) return one === null ? 1 : -1;
    return one < other ? -sign : sign;
  });
}

async function valuesOf(
  scope: Scope,
  filter: SumsFilter,
  by: Exclude<SortKey, "sent_at">,
): Promise<CampaignValue<string | number | null>[]> {
  if (by === "team" || by === "kind") return findValues(scope, filter, by);
  if (by === "subject") {
    const subjects = await findValues<string>(scope, filter, by);
    return subjects.map((each) => ({ ...each, value: foldCase(each.value) }));
  }
  if (isCount(by)) return findValues(scope, filter, by);
  const campaigns = await findRates(scope, filter, [by], ["part", "whole"]);
  // Of one campaign its part and its whole say all.
  return campaigns.map((each) => {
    const value = rateOrGiven(by, readRateParts(each.parts), each.given[0] ?? null);
    return { ...each, value };
  });
}
