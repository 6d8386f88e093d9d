// The newest campaigns that are still counting, and how each compares at its age.

import { recordedAges } from "../../campaign/events/ages.ts";
import type { Range } from "../../campaign/ranges.ts";
import { isStillCounting, type StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findNewestIds } from "../../storage/sums/sum-queries.ts";
import type { SumsFilter } from "../../storage/sums/sums-filter.ts";
import { findReleased } from "../find-released.ts";
import { likelyEndOf, type RatesAtAge, ratesAtAge, readSameAge } from "./same-age.ts";

/** Each reads up to thirty campaigns to compare it with. */
const freshShown = 3;

export interface FreshCampaign {
  stored: StoredCampaign;
  /** The open rate beside the usual one; undefined if there is none to compare with. */
  atItsAge: RatesAtAge | undefined;
  /** The range in which the open rate will probably end; undefined if it is too early to tell. */
  likelyEnd: Range | undefined;
}

/** The newest campaigns that are still counting. */
export async function readFresh(
  scope: Scope,
  organization: Organization,
  filter: SumsFilter,
  now: number,
): Promise<FreshCampaign[]> {
  const sentFrom = Math.max(filter.sentFrom ?? -Infinity, now - recordedAges["7d"]);
  const ids = await findNewestIds(scope, { ...filter, sentFrom }, freshShown);
  const campaigns = await findReleased(scope, organization, ids);
  const { traffic } = filter;
  return Promise.all(
    campaigns.filter(isStillCounting).map(async (stored) => {
      const sameAge = await readSameAge(scope, stored, { traffic, now });
      return {
        stored,
        atItsAge: sameAge && ratesAtAge(sameAge, "openRate"),
        likelyEnd: sameAge && likelyEndOf(sameAge),
      };
    }),
  );
}
