// What all tabs of a campaign's page share: the campaign, the traffic that is shown, and the URLs of the tabs.

import type { Tag } from "../../../../campaign/campaign.ts";
import { type TrafficFilter, trafficFilters } from "../../../../campaign/events/traffic.ts";
import { ofTraffic } from "../../../../campaign/sums.ts";
import type { CampaignDetails } from "../../../../listing/reports/campaign-details.ts";
import type { Html } from "../../../../locale/html.ts";
import type { CampaignQuestions } from "../../../../storage/campaigns/campaign-questions.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import type { Scope } from "../../../../storage/queries/scope.ts";
import { findNeighbors, type Neighbors } from "../../../../storage/sums/campaign-neighbors.ts";
import { parseChoice } from "../../filters/filters.ts";
import type { PageRequest, WebSession } from "../../frame/page.ts";
import { campaignUrl, listOf, type TabName, tabNames } from "../campaign-url.ts";
import { findCampaign } from "../find-campaign.ts";

/** The campaign that a request asks for. */
interface RequestedCampaign extends WebSession {
  stored: StoredCampaign;
  traffic: TrafficFilter;
  /** The query string of the list that the page was opened from. */
  list: URLSearchParams;
  /** The parameters of the page. */
  parameters: URLSearchParams;
}

export interface CampaignView extends RequestedCampaign {
  /** Undefined if the campaign's numbers were imported. */
  details: CampaignDetails | undefined;
  neighbors: Neighbors;
  /** All tags of the organization, by name. */
  allTags: readonly Tag[];
  /** The submission that the page is shown again for. */
  rejected: PageRequest["rejected"];
  /** What its surveys ask, if that is known. */
  questions: CampaignQuestions | undefined;
}

/**
 * Reads the campaign of a page and its neighbors. Pages read it in the snapshot of what else they show.
 *
 * @throws AppError `not_found` without such a campaign, `bad_request` if the traffic or the list is invalid
 */
export async function readRequested(
  scope: Scope,
  session: WebSession,
  { params, query }: PageRequest,
): Promise<RequestedCampaign & Pick<CampaignView, "neighbors">> {
  const traffic = parseTraffic(session, query);
  const list = listOf(query);
  const stored = await findCampaign(scope, session, { params });
  const neighbors = await findNeighbors(scope, stored.campaign, session.now);
  return { ...session, stored, traffic, list, parameters: query, neighbors };
}

/** Reads what a tab shows besides, in the snapshot of the page. @returns how to render it */
export type ReadTab = (scope: Scope, requested: RequestedCampaign) => Promise<(view: CampaignView) => Html>;

/** The campaign with the numbers of the traffic that is shown. */
export function shownCampaign({ stored, traffic }: Pick<CampaignView, "stored" | "traffic">) {
  return ofTraffic(stored, traffic);
}

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
export function parseTab(session: WebSession, query: URLSearchParams): TabName {
  return parseChoice(session, session.t("campaign.tabsLabel"), query.get("tab") ?? "", tabNames) ?? "summary";
}

/** The traffic that the organization counts, unless the URL has another one. @throws AppError as {@link parseTab} */
export function parseTraffic(session: WebSession, query: URLSearchParams): TrafficFilter {
  const { organization, t } = session;
  return (
    parseChoice(session, t("filters.trafficLabel"), query.get("traffic") ?? "", trafficFilters) ??
    organization.countedTraffic
  );
}

/** The URL of a tab, without parameters that have their default values. */
export function tabUrl(
  { organization, stored, list, traffic: shownTraffic }: CampaignView,
  { tab, traffic = shownTraffic }: { tab: TabName; traffic?: TrafficFilter },
): string {
  return campaignUrl(stored.campaign.id, organization, { tab, traffic, list });
}
