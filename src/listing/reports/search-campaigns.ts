// Finds campaigns for pages: one page of a selection, or the matches of a search.

import { setImmediate as nextTurn } from "node:timers/promises";
import { isStorable } from "../../campaign/validate-fields.ts";
import { findSearchCandidates, type TextFilter } from "../../storage/campaigns/campaign-search.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { IndexEntry } from "../../storage/campaigns/index-entries.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Database } from "../../storage/database.ts";
import { foldCase } from "../numbers/fold-case.ts";
import { type SortOrder, selectBatches, selectInOrder } from "../timeline/batches.ts";
import type { Timeline, TimelineSelection } from "../timeline/timeline.ts";

export interface ReportFilter {
  selection: TimelineSelection;
  /** Only this team, by its {@link teamKeyOf}. */
  team?: string | undefined;
}

export interface SearchContext {
  database: Database;
  organizationId: number;
  timeline: Timeline;
}

/** The database scans so many campaigns in a few milliseconds. */
const batchSize = 1_000;
/** Some subjects take a millisecond each to fold, so the search yields to the event loop after this time. */
const maxTurnMs = 5;
/** Campaigns that one search scans: about 0.1 s with typical subjects. The next page continues from there. */
const maxScanned = 100_000;

/** One page of a selection, and the total. */
export async function listCampaigns(
  context: SearchContext,
  selection: TimelineSelection,
  range: { order: SortOrder; offset: number; limit: number },
): Promise<{ campaigns: StoredCampaign[]; total: number }> {
  const { entries, total } = selectInOrder(context.timeline, selection, range);
  return { campaigns: await loadCampaigns(context, entries), total };
}

interface SearchQuery extends ReportFilter {
  /** Part of the subject, in any letter case. */
  subject?: string | undefined;
  order: SortOrder;
  /** The cursor: the last campaign that the previous page scanned. */
  after?: IndexEntry | undefined;
  limit: number;
}

interface SearchResult {
  campaigns: StoredCampaign[];
  /** The cursor for the next page; undefined if there are no more matches. */
  last?: IndexEntry | undefined;
}

/** One page of matches. It may have fewer than `limit` campaigns, or none, although a next page exists. */
export async function searchCampaigns(context: SearchContext, query: SearchQuery): Promise<SearchResult> {
  const { after, order, limit } = query;
  const matches: IndexEntry[] = [];
  const filter = { part: foldCase(query.subject ?? ""), team: query.team };
  // No campaign can contain such text, and PostgreSQL would reject the query.
  if (!isStorable(filter.part) || !isStorable(filter.team)) return { campaigns: [] };
  let scanned = 0;
  for (const batch of selectBatches(context.timeline, selectionAfter(query), order, batchSize)) {
    const entries = after ? batch.filter((entry) => isBeyond(entry, after, order)) : batch;
    const matchingIds = await findMatchingIds(context, entries, filter);
    for (const entry of entries) {
      if (!matchingIds.has(entry.id)) continue;
      if (matches.length === limit) {
        return { campaigns: await loadCampaigns(context, matches), last: matches.at(-1) };
      }
      matches.push(entry);
    }
    scanned += entries.length;
    if (scanned >= maxScanned) {
      return { campaigns: await loadCampaigns(context, matches), last: entries.at(-1) };
    }
    await nextTurn();
  }
  return { campaigns: await loadCampaigns(context, matches) };
}

/** The selection from the cursor on. Includes the cursor's instant, because other campaigns may have the same one. */
function selectionAfter({ selection, after, order }: SearchQuery): TimelineSelection {
  if (!after) return selection;
  const { sentFrom = Number.NEGATIVE_INFINITY, sentUntil = Number.POSITIVE_INFINITY } = selection;
  return order === "latest"
    ? { ...selection, sentUntil: Math.min(sentUntil, after.sentAt + 1) }
    : { ...selection, sentFrom: Math.max(sentFrom, after.sentAt) };
}

function isBeyond(entry: IndexEntry, after: IndexEntry, order: SortOrder): boolean {
  const difference = entry.sentAt - after.sentAt || entry.id - after.id;
  return order === "latest" ? difference < 0 : difference > 0;
}

async function findMatchingIds(
  { database, organizationId }: SearchContext,
  entries: readonly IndexEntry[],
  filter: TextFilter,
): Promise<Set<number>> {
  const ids = entries.map(({ id }) => id);
  const candidates = await database.query((queries) =>
    findSearchCandidates(queries, organizationId, ids, filter),
  );
  const matching = new Set<number>();
  let turnStartedAt = performance.now();
  for (const { id, subject } of candidates) {
    if (filter.part === "" || foldCase(subject).includes(filter.part)) matching.add(id);
    if (performance.now() - turnStartedAt < maxTurnMs) continue;
    await nextTurn();
    turnStartedAt = performance.now();
  }
  return matching;
}

/** Without campaigns that were deleted meanwhile. */
async function loadCampaigns(
  { database, organizationId }: SearchContext,
  entries: readonly IndexEntry[],
): Promise<StoredCampaign[]> {
  const ids = entries.map(({ id }) => id);
  const found = await database.query((queries) => findCampaigns(queries, organizationId, ids));
  const byId = new Map(found.map((stored) => [stored.campaign.id, stored]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
