// What groups of recipients add to sums, so that their rates and ranges are computed as those of campaigns.

import type { TrafficFilter } from "../events/traffic.ts";
import { emptySums, type Sums } from "../sums.ts";
import type { GroupCounts } from "./group-counts.ts";
import type { GroupRelease } from "./release-groups.ts";

interface CountedActivity {
  campaigns: number;
  recipients: number;
  opens: number;
  clicks: number;
  glanced: number;
  skimmed: number;
  read: number;
  readCampaigns: number;
}

/** Sums have reads times 100. */
export function activitySums({ campaigns, recipients, opens, clicks, ...reads }: CountedActivity): Sums {
  return {
    ...emptySums(),
    ...{ campaigns, countedCampaigns: campaigns, settledCampaigns: campaigns, settledCounted: campaigns },
    recipients,
    ...{ opens, openRecipients: recipients, openCampaigns: campaigns },
    ...{ clicks, clickRecipients: recipients, clickCampaigns: campaigns },
    ...{ glanced: 100 * reads.glanced, skimmed: 100 * reads.skimmed, read: 100 * reads.read },
    readCampaigns: reads.readCampaigns,
  };
}

type RatingSums = Pick<Sums, "promoters" | "detractors" | "indexed" | "indexedCampaigns">;

/** The sums of a released group of one campaign. Ratings that are withheld are left out. */
export function sumsOfGroup(group: GroupCounts & GroupRelease, traffic: TrafficFilter): Sums {
  const { recipients, glanced, skimmed, read, enpsPromoters, enpsDetractors, enpsReactions } = group;
  const sums = activitySums({
    campaigns: 1,
    recipients,
    opens: group[`${traffic}Opens`],
    clicks: group[`${traffic}Clicks`],
    ...{ glanced, skimmed, read },
    readCampaigns: glanced + skimmed + read > 0 ? 1 : 0,
  });
  const ratings: RatingSums = {
    ...{ promoters: enpsPromoters, detractors: enpsDetractors, indexed: enpsReactions },
    indexedCampaigns: enpsReactions > 0 ? 1 : 0,
  };
  return group.areRatingsReleased ? { ...sums, ...ratings } : sums;
}
