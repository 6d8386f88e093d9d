// Finds campaigns for people to look at: a page of a choice, or what matches a search, from one end on.

import { setImmediate as nextTurn } from "node:timers/promises";
import { isStorable } from "../../campaign/validate-fields.ts";
import {
  findSearchCandidates,
  searchedLength,
  type TextFilter,
} from "../../storage/campaigns/campaign-search.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { IndexEntry } from "../../storage/campaigns/index-entries.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Database } from "../../storage/database.ts";
import { type SortOrder, selectBatches, selectInOrder } from "../timeline/batches.ts";
import type { Timeline, TimelineSelection } from "../timeline/timeline.ts";
import type { ReportFilter } from "./monthly-sums.ts";

/** Where campaigns are looked for. */
export interface SearchContext {
  database: Database;
  organizationId: number;
  timeline: Timeline;
}

/** Campaigns that are looked at at once: that takes the database a few milliseconds. */
const batchSize = 1_000;
/** Others are served after so many milliseconds: subjects may be such that it takes a millisecond to fold one. */
const msAtOnce = 5;
/** Campaigns that one search looks at: with usual subjects a tenth of a second. It can be gone on with. */
const lookedAtMax = 100_000;

/** Some of the campaigns of a choice, in order, and how many there are in all. */
export async function listCampaigns(
  searched: SearchContext,
  choice: TimelineSelection,
  range: { order: SortOrder; offset: number; limit: number },
): Promise<{ campaigns: StoredCampaign[]; total: number }> {
  const { entries, total } = selectInOrder(searched.timeline, choice, range);
  return { campaigns: await load(searched, entries), total };
}

interface SearchQuery extends ReportFilter {
  /** Part of the subject, in whatever case. */
  subject?: string | undefined;
  order: SortOrder;
  /** The last campaign that was looked at before. */
  after?: IndexEntry | undefined;
  limit: number;
}

interface SearchResult {
  campaigns: StoredCampaign[];
  /** The last campaign that was looked at, where there may be more. */
  last?: IndexEntry | undefined;
}

/** The campaigns that match, in order, as many as are wanted. */
export async function searchCampaigns(searched: SearchContext, search: SearchQuery): Promise<SearchResult> {
  const { after, order, limit } = search;
  const matches: IndexEntry[] = [];
  const asked = { part: foldCase(search.subject ?? ""), team: search.team };
  // What no campaign can have, PostgreSQL would not even be asked for.
  if (!isStorable(asked.part) || !isStorable(asked.team)) return { campaigns: [] };
  let lookedAt = 0;
  for (const batch of selectBatches(searched.timeline, choiceFrom(search), order, batchSize)) {
    const places = after ? batch.filter((place) => isBeyond(place, after, order)) : batch;
    const found = await findMatching(searched, places, asked);
    for (const place of places) {
      if (!found.has(place.id)) continue;
      if (matches.length === limit) {
        return { campaigns: await load(searched, matches), last: matches.at(-1) };
      }
      matches.push(place);
    }
    lookedAt += places.length;
    if (lookedAt >= lookedAtMax) return { campaigns: await load(searched, matches), last: places.at(-1) };
    await nextTurn();
  }
  return { campaigns: await load(searched, matches) };
}

/**
 * The same text for texts that differ only in upper and lower case, or in how their characters are put together. Only the
 * beginning of a long one: to normalize one that was made for it takes seconds.
 */
export function foldCase(text: string): string {
  const folded = text.slice(0, searchedLength).toWellFormed().normalize("NFC").toUpperCase().toLowerCase();
  // "İ" becomes an "i" with a dot of its own.
  return folded.replaceAll("ς", "σ").replaceAll("i\u0307", "i").normalize("NFC");
}

/** What may lie beyond the last place: several campaigns may have been sent at the same instant. */
function choiceFrom({ selection, after, order }: SearchQuery): TimelineSelection {
  if (!after) return selection;
  const { sentFrom = Number.NEGATIVE_INFINITY, sentUntil = Number.POSITIVE_INFINITY } = selection;
  return order === "latest"
    ? { ...selection, sentUntil: Math.min(sentUntil, after.sentAt + 1) }
    : { ...selection, sentFrom: Math.max(sentFrom, after.sentAt) };
}

function isBeyond(place: IndexEntry, after: IndexEntry, order: SortOrder): boolean {
  const difference = place.sentAt - after.sentAt || place.id - after.id;
  return order === "latest" ? difference < 0 : difference > 0;
}

/** The ids of those that match. */
async function findMatching(
  { database, organizationId }: SearchContext,
  places: readonly IndexEntry[],
  asked: TextFilter,
): Promise<Set<number>> {
  const ids = places.map(({ id }) => id);
  const found = await database.query((queries) => findSearchCandidates(queries, organizationId, ids, asked));
  const matching = new Set<number>();
  let since = performance.now();
  for (const { id, subject } of found) {
    if (asked.part === "" || foldCase(subject).includes(asked.part)) matching.add(id);
    if (performance.now() - since < msAtOnce) continue;
    await nextTurn();
    since = performance.now();
  }
  return matching;
}

/** A campaign that was deleted meanwhile is left out. */
async function load(
  { database, organizationId }: SearchContext,
  places: readonly IndexEntry[],
): Promise<StoredCampaign[]> {
  const ids = places.map(({ id }) => id);
  const found = await database.query((queries) => findCampaigns(queries, organizationId, ids));
  const byId = new Map(found.map((stored) => [stored.campaign.id, stored]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
