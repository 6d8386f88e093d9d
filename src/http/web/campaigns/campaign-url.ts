// The URLs of a campaign's page. They keep the traffic that is shown, and the list that the campaign was opened from.

import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import { campaignPath, urlWithQuery, webPaths } from "../../../paths.ts";
import type { WebSession } from "../frame/page.ts";

/** Tabs that are chosen by the parameter `tab`. The recipients have a page of their own, because it is for admins. */
export const tabNames = ["summary", "links", "audience", "surveys", "details"] as const;
export type TabName = (typeof tabNames)[number];

/** What pages of campaigns keep in their links. */
export interface Kept {
  traffic: TrafficFilter;
  /** The query string of the list that they were opened from, without the traffic. */
  list?: URLSearchParams;
}

/** What the organization counts, which URLs do not name. */
type Defaults = Pick<WebSession["organization"], "countedTraffic">;

/** Characters: a longer query of a list, such as a long search, is not kept. */
const maxListLength = 1_000;

export const recipientsPath = (id: number): string => `${campaignPath(id)}/recipients`;

/** The parameters of a link, without those that have their default values. */
export function keptQuery({ countedTraffic }: Defaults, { traffic, list }: Kept): URLSearchParams {
  const query = new URLSearchParams();
  if (traffic !== countedTraffic) query.set("traffic", traffic);
  const text = String(list ?? "");
  if (text !== "" && text.length <= maxListLength) query.set("list", text);
  return query;
}

/** The URL of a tab, by default of the summary. */
export function campaignUrl(
  id: number,
  defaults: Defaults,
  { tab = "summary", ...kept }: Kept & { tab?: TabName },
): string {
  const query = new URLSearchParams();
  if (tab !== "summary") query.set("tab", tab);
  return urlWithQuery(campaignPath(id), new URLSearchParams([...query, ...keptQuery(defaults, kept)]));
}

export function compareUrl(defaults: Defaults, kept: Kept, ids: readonly number[]): string {
  const chosen = ids.map((id) => ["ids", String(id)]);
  return urlWithQuery(webPaths.compare, new URLSearchParams([...keptQuery(defaults, kept), ...chosen]));
}

/** The list that a page was opened from, with the traffic that the page shows. */
export function listUrl({ countedTraffic }: Defaults, { traffic, list }: Kept): string {
  const query = new URLSearchParams(list);
  if (traffic !== countedTraffic) query.set("traffic", traffic);
  return urlWithQuery(webPaths.campaigns, query);
}

/** The parameters of the list in the parameter `list` of a page. The list itself refuses those that are wrong. */
export const listOf = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams((query.get("list") ?? "").slice(0, maxListLength));
