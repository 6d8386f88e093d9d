// What all tabs of a campaign's page share: the campaign, the traffic that is shown, and the URLs of the tabs.

import { type TrafficFilter, trafficFilters } from "../../../campaign/events/traffic.ts";
import { quote } from "../../../campaign/quote.ts";
import { AppError } from "../../../errors.ts";
import type { CampaignDetails } from "../../../listing/reports/campaign-details.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { WebSession } from "../page.ts";
import { campaignUrl, type TabName, tabNames } from "./campaign-url.ts";

export interface CampaignView {
  session: WebSession;
  stored: StoredCampaign;
  /** Undefined if the campaign's numbers were imported. */
  details: CampaignDetails | undefined;
  traffic: TrafficFilter;
  /** The query string of the list that the page was opened from. */
  list: URLSearchParams;
  now: number;
}

/** @throws AppError `bad_request` naming the parameter, the value and the accepted values */
export function parseTab({ locale }: WebSession, query: URLSearchParams): TabName {
  return parseChoice(locale, query, "tab", tabNames) ?? "summary";
}

/** The traffic that the organization counts, unless the URL has another one. @throws AppError as {@link parseTab} */
export function parseTraffic({ locale, organization }: WebSession, query: URLSearchParams): TrafficFilter {
  return parseChoice(locale, query, "traffic", trafficFilters) ?? organization.countedTraffic;
}

function parseChoice<Choice extends string>(
  { strings }: WebSession["locale"],
  query: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = query.get(name) ?? "";
  if (text === "") return undefined;
  const choice = choices.find((each) => each === text);
  if (choice) return choice;
  throw new AppError("bad_request", strings.filters.invalidValue(name, quote(text), choices.join(", ")));
}

/** The URL of a tab, without parameters that have their default values. */
export function tabUrl(
  { session, stored, list, traffic: shown }: CampaignView,
  { tab, traffic = shown }: { tab: TabName; traffic?: TrafficFilter },
): string {
  return campaignUrl(stored.campaign.id, session.organization, { tab, traffic, list });
}
