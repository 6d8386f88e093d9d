// The table of tools.

import { compare } from "./compare.ts";
import { describeMetrics } from "./describe-metrics.ts";
import { explainCampaign } from "./explain-campaign.ts";
import { findCampaigns } from "./find-campaigns.ts";
import type { Tool } from "./tool.ts";
import { trend } from "./trend.ts";

export const mcpTools: Readonly<Record<string, Tool>> = {
  describe_metrics: describeMetrics,
  find_campaigns: findCampaigns,
  compare,
  trend,
  explain_campaign: explainCampaign,
};
