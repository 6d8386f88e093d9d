// What all tabs of a campaign's page share: the campaign, the traffic that is shown, and the URLs of the tabs.

import { type TrafficFilter, trafficFilters } from "../../../../campaign/events/traffic.ts";
import { ofTraffic } from "../../../../campaign/sums.ts";
import type { CampaignDetails } from "../../../../listing/reports/campaign-details.ts";
import { type CommentOrder, commentOrders } from "../../../../listing/reports/comment-order.ts";
import type { CampaignQuestions } from "../../../../storage/campaigns/campaign-questions.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import { parseChoice } from "../../filters/filters.ts";
import type { WebSession } from "../../frame/page.ts";
import { campaignUrl, type TabName, tabNames } from "../campaign-url.ts";

export interface CampaignView {
  session: WebSession;
  stored: StoredCampaign;
  /** Undefined if the campaign's numbers were imported. */
  details: CampaignDetails | undefined;
  traffic: TrafficFilter;
  /** The query string of the list that the page was opened from. */
  list: URLSearchParams;
  /** What its surveys ask, if that is known. */
  questions: CampaignQuestions | undefined;
  /** In which the tab of surveys shows comments. */
  order: CommentOrder;
  /** The parameters of the page. */
  query: URLSearchParams;
  now: number;
}

/** The campaign with the numbers of the traffic that is shown. */
export function shownCampaign({
  stored: { campaign, numbers },
  traffic,
}: Pick<CampaignView, "stored" | "traffic">) {
  return { ...campaign, numbers: ofTraffic(numbers, traffic) };
}

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
export function parseTab({ locale }: WebSession, query: URLSearchParams): TabName {
  return parseChoice(locale, locale.t("campaign.tabsLabel"), query.get("tab") ?? "", tabNames) ?? "summary";
}

/** The traffic that the organization counts, unless the URL has another one. @throws AppError as {@link parseTab} */
export function parseTraffic({ locale, organization }: WebSession, query: URLSearchParams): TrafficFilter {
  const label = locale.t("filters.trafficLabel");
  return (
    parseChoice(locale, label, query.get("traffic") ?? "", trafficFilters) ?? organization.countedTraffic
  );
}

/** The order of comments. @throws AppError as {@link parseTab} */
export function parseOrder({ locale }: WebSession, query: URLSearchParams): CommentOrder {
  return parseChoice(locale, locale.t("campaigns.sort"), query.get("sort") ?? "", commentOrders) ?? "newest";
}

/** The URL of a tab, without parameters that have their default values. */
export function tabUrl(
  { session, stored, list, traffic: shownTraffic, order: shownOrder }: CampaignView,
  {
    tab,
    traffic = shownTraffic,
    order = tab === "surveys" ? shownOrder : "newest",
  }: { tab: TabName; traffic?: TrafficFilter; order?: CommentOrder },
): string {
  return campaignUrl(stored.campaign.id, session.organization, { tab, traffic, list, order });
}
