// Reads the rows of feed tables that belong to campaigns: their tags, links, hours and groups, by campaign, in batches.

import { startOfHour } from "../../campaign/calendar/hours.ts";
import { describeVerdict } from "../../campaign/events/activity.ts";
import { HourCounts } from "../../campaign/events/hour-counts.ts";
import {
  compareRows,
  type FeedRow,
  type FeedTableName,
  feedTables,
} from "../../campaign/feed/feed-tables.ts";
import { toGroupRow } from "../../campaign/feed/group-row.ts";
import { findReleasedGroups } from "../../storage/audience/released-groups.ts";
import { findHourPartsOfCampaigns } from "../../storage/campaigns/campaign-hours.ts";
import { findLinksOfCampaigns } from "../../storage/campaigns/campaign-links.ts";
import { type EmailSelection, findSortedIds } from "../../storage/campaigns/emails.ts";
import { findTagIdsOf } from "../../storage/campaigns/index-rows.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { mergeLinks } from "../reports/merge-links.ts";
import type { SnapshotSource } from "./read-emails.ts";

type DetailsTable = Exclude<FeedTableName, "emails" | "tags">;

type ReadDetails = (scope: Scope, organization: Organization, ids: readonly number[]) => Promise<FeedRow[]>;

/** The rows of these campaigns take a few megabytes. A campaign may have some thousand groups. */
const campaignsPerBatch: Record<DetailsTable, number> = {
  email_tags: 100,
  email_links: 100,
  email_hours: 100,
  email_groups: 20,
};

const readers: Record<DetailsTable, ReadDetails> = {
  async email_tags(scope, _, ids) {
    return (await findTagIdsOf(scope, ids)).map(({ id: email_id, tagId: tag_id }) => ({ email_id, tag_id }));
  },
  async email_links(scope, _, ids) {
    const links = Map.groupBy(await findLinksOfCampaigns(scope, ids), (link) => link.campaignId);
    return ids.flatMap((email_id) =>
      mergeLinks(links.get(email_id) ?? [])
        .sort((a, b) => (a.url < b.url ? -1 : 1))
        .map(({ url, people, all }) => ({
          email_id,
          url,
          human_clicks: people,
          automated_clicks: all - people,
        })),
    );
  },
  async email_hours(scope, { timeZone }, ids) {
    const parts = Map.groupBy(await findHourPartsOfCampaigns(scope, ids), (part) => part.campaignId);
    return ids.flatMap((email_id) => {
      const counts = new HourCounts();
      for (const part of parts.get(email_id) ?? []) counts.addEncoded(part.counts);
      return sumHours(counts, timeZone).map((hour) => ({ email_id, ...hour }));
    });
  },
  async email_groups(scope, { countedTraffic }, ids) {
    return (await findReleasedGroups(scope, ids))
      .map((group) => toGroupRow(group, countedTraffic))
      .sort(compareRows(feedTables.email_groups.order));
  },
};

/** The rows of the campaigns of a selection that were sent, with ids from one until before another. */
export async function* readDetails(
  { scope, organization }: SnapshotSource,
  table: DetailsTable,
  { from, until }: { from: number; until: number },
  selection: EmailSelection = {},
): AsyncGenerator<FeedRow[]> {
  const limit = campaignsPerBatch[table];
  for (let next = from; ; ) {
    const range = { ids: { from: next, until }, order: byId, limit };
    const ids = await findSortedIds(scope, { ...selection, ...range });
    if (ids.length > 0) yield await readers[table](scope, organization, ids);
    if (ids.length < limit) return;
    next = (ids.at(-1) as number) + 1;
  }
}

const byId = [{ field: "id", direction: "asc" }] as const;

const noActivity = { human_opens: 0, automated_opens: 0, human_clicks: 0, automated_clicks: 0 };

/** Returns sums by hour of the organization's clocks, in order of time. */
function sumHours(counts: HourCounts, timeZone: string): FeedRow[] {
  const hours = new Map<number, typeof noActivity>();
  for (const { quarter, activity, verdict, count } of counts.list()) {
    // Skips negative counts, as pages do: a reclassified click may leave one.
    if (count <= 0) continue;
    const start = startOfHour(quarter, timeZone);
    const sum = hours.get(start) ?? { ...noActivity };
    hours.set(start, sum);
    const kind = describeVerdict(verdict).isHuman ? "human" : "automated";
    sum[`${kind}_${activity}s`] += count;
  }
  return [...hours].map(([start, sums]) => ({ hour: new Date(start).toISOString(), ...sums }));
}
