// The table `campaign_links`: clicks of counted campaigns by link.

import { sql } from "kysely";
import type { LinkChange } from "../../campaign/events/activity-change.ts";
import { otherLinks } from "../../campaign/events/link-number.ts";
import { shownUrl } from "../../campaign/events/shown-url.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { fromKeys } from "../queries/dialect-differences.ts";
import { addingTo, insertRows } from "../queries/insert-rows.ts";
import type { Scope } from "../queries/scope.ts";
import { kindsOf } from "../tables/tables.ts";

/**
 * How many links of a campaign get a row of their own: the first ones clicked. All others share one row for good, because
 * its clicks cannot be told apart again.
 */
export const linksKept = 500;

/** @param changes one per campaign and link, in the order in which links get rows */
export async function addToLinks(scope: Scope, changes: readonly LinkChange[]): Promise<void> {
  if (changes.length === 0) return;
  const known = await findKnownLinks(scope, changes);
  const isKnown = ({ campaignId, link }: LinkChange) => known.has(`${campaignId} ${link}`);
  const added = changes.filter((each) => !isKnown(each));
  const counts = await countLinks(scope, [...new Set(added.map((each) => each.campaignId))]);
  const rows = new Map<
    string,
    { campaignId: number; link: number; url: string; people: number; all: number }
  >();
  for (const each of changes) {
    const { campaignId, people, all, url = "" } = each;
    const count = counts.get(campaignId) ?? 0;
    const isAdded = !isKnown(each) && count < linksKept && each.link !== otherLinks;
    if (isAdded) counts.set(campaignId, count + 1);
    const link = isAdded || isKnown(each) ? each.link : otherLinks;
    // A link whose click is not kept gets its row all the same.
    if (people === 0 && all === 0 && (link === otherLinks || url === "")) continue;
    const key = `${campaignId} ${link}`;
    const row = rows.get(key) ?? {
      campaignId,
      link,
      url: link === otherLinks ? "" : shownUrl(url),
      people: 0,
      all: 0,
    };
    row.people += people;
    row.all += all;
    rows.set(key, row);
  }
  await saveLinks(scope, [...rows.values()]);
}

/** The links that have a row, as `campaign link`. */
async function findKnownLinks(scope: Scope, changes: readonly LinkChange[]): Promise<Set<string>> {
  const keys = changes.toSorted(compareLinks).map(({ campaignId, link }) => [campaignId, link]);
  const stored = await sql<{ campaignId: number; link: number }>`
    select campaign_links.campaign_id as "campaignId", campaign_links.link as link
    ${fromKeys(scope, "campaign_links", ["campaign_id", "link"], keys)}`.execute(scope);
  return new Set(stored.rows.map(({ campaignId, link }) => `${campaignId} ${link}`));
}

/** The number of links with a row of their own, by campaign. */
async function countLinks(scope: Scope, campaignIds: readonly number[]): Promise<Map<number, number>> {
  if (campaignIds.length === 0) return new Map();
  const rows = await scope
    .from("campaign_links", { campaign_id: campaignIds })
    .select(["campaign_id", (of) => of.fn.countAll<number>().as("count")])
    .where("link", "<>", otherLinks)
    .groupBy("campaign_id")
    .execute();
  return new Map(rows.map(({ campaign_id, count }) => [campaign_id, Number(count)]));
}

async function saveLinks(
  scope: Scope,
  links: readonly { campaignId: number; link: number; url: string; people: number; all: number }[],
): Promise<void> {
  const rows = links
    .toSorted(compareLinks)
    .map(({ campaignId, link, url, people, all }) => [campaignId, link, url, people, all]);
  const { organization_id, ...kinds } = kindsOf("campaign_links");
  const adding = addingTo("campaign_links", ["people_clicks", "all_clicks"]);
  await insertRows(scope, { into: "campaign_links", kinds, rows }, adding);
}

/** Sorts by key, so that each page of the index is visited once. */
function compareLinks(
  a: { campaignId: number; link: number },
  b: { campaignId: number; link: number },
): number {
  return a.campaignId - b.campaignId || a.link - b.link;
}

/**
 * The clicks of links of campaigns, by URL: up to {@link linksKept} of each, and an empty one for all others. In no particular
 * order.
 */
export async function findLinksOfCampaigns(
  scope: Scope,
  campaignIds: readonly number[],
): Promise<{ campaignId: number; url: string; people: number; all: number }[]> {
  return scope
    .from("campaign_links", { campaign_id: campaignIds })
    .select([
      "campaign_id as campaignId",
      "url",
      added("people_clicks").as("people"),
      added("all_clicks").as("all"),
    ])
    .groupBy(["campaign_id", "url"])
    .execute();
}

/** Bigint, which the driver reads as a number, unlike the sum of bigints in PostgreSQL. */
const added = (column: string) => sql<number>`cast(sum(${sql.ref(column)}) as bigint)`;

/** The clicks of a link in several campaigns. */
export interface ClickedLink {
  url: string;
  people: number;
  all: number;
  /** How many campaigns have it. */
  campaigns: number;
}

/** The most clicked links of campaigns, added up by URL. Without links that share a row, because a campaign has too many. */
export async function findTopLinks(
  scope: Scope,
  { campaignIds, traffic, limit }: { campaignIds: readonly number[]; traffic: TrafficFilter; limit: number },
): Promise<ClickedLink[]> {
  const clicks = { people: added("people_clicks"), all: added("all_clicks") };
  return scope
    .from("campaign_links", { campaign_id: campaignIds })
    .select(["url", clicks.people.as("people"), clicks.all.as("all")])
    .select(sql<number>`count(distinct campaign_id)`.as("campaigns"))
    .where("url", "<>", "")
    .groupBy("url")
    .having(clicks.all, ">", 0)
    .orderBy(clicks[traffic], "desc")
    .orderBy(clicks.all, "desc")
    .orderBy("url")
    .limit(limit)
    .execute();
}

/** The clicks of campaigns together, and the number of their clicked URLs. */
export async function countClicks(
  scope: Scope,
  campaignIds: readonly number[],
): Promise<{ people: number; all: number; urls: number }> {
  const totals = await scope
    .from("campaign_links", { campaign_id: campaignIds })
    .select([added("people_clicks").as("people"), added("all_clicks").as("all")])
    .select(sql<number>`count(distinct case when url <> '' and all_clicks > 0 then url end)`.as("urls"))
    .executeTakeFirst();
  return { people: totals?.people ?? 0, all: totals?.all ?? 0, urls: totals?.urls ?? 0 };
}
