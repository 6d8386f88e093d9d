// What groups of recipients add to sums, so that their rates and ranges are computed as those of campaigns.

import type { TrafficFilter } from "../events/traffic.ts";
import { emptySums, type Sums } from "../sums.ts";
import type { CopiedCounts } from "./copy-groups.ts";

interface CountedActivity {
  campaigns: number;
  recipients: number;
  opens: number;
  clicks: number;
  /** The recipients of campaigns whose clicks are known. */
  clickRecipients: number;
  clickCampaigns: number;
  glanced: number;
  skimmed: number;
  read: number;
  readCampaigns: number;
}

/** Sums have reads times 100. */
export function activitySums({ campaigns, recipients, opens, ...activity }: CountedActivity): Sums {
  const { clicks, clickRecipients, clickCampaigns, ...reads } = activity;
  return {
    ...emptySums(),
    campaigns,
    countedCampaigns: campaigns,
    settledCampaigns: campaigns,
    settledCounted: campaigns,
    recipients,
    opens,
    openRecipients: recipients,
    openCampaigns: campaigns,
    clicks,
    clickRecipients,
    clickCampaigns,
    glanced: 100 * reads.glanced,
    skimmed: 100 * reads.skimmed,
    read: 100 * reads.read,
    readCampaigns: reads.readCampaigns,
  };
}

type RatingSums = Pick<Sums, "promoters" | "detractors" | "indexed" | "indexedCampaigns">;

/** The sums of a released group of one campaign. Ratings that are withheld are left out. */
export function sumsOfGroup(group: CopiedCounts, traffic: TrafficFilter): Sums {
  const { recipients, enpsPromoters, enpsDetractors, enpsReactions } = group;
  const clicks = group[`${traffic}Clicks`];
  const [glanced, skimmed, read] = [group.glanced ?? 0, group.skimmed ?? 0, group.read ?? 0];
  const sums = activitySums({
    campaigns: 1,
    recipients,
    opens: group[`${traffic}Opens`],
    clicks: clicks ?? 0,
    ...(clicks === null
      ? { clickRecipients: 0, clickCampaigns: 0 }
      : { clickRecipients: recipients, clickCampaigns: 1 }),
    glanced,
    skimmed,
    read,
    readCampaigns: glanced + skimmed + read > 0 ? 1 : 0,
  });
  if (enpsReactions === null || enpsPromoters === null || enpsDetractors === null) return sums;
  const ratings: RatingSums = {
    promoters: enpsPromoters,
    detractors: enpsDetractors,
    indexed: enpsReactions,
    indexedCampaigns: enpsReactions > 0 ? 1 : 0,
  };
  return { ...sums, ...ratings };
}
