// A cache of numbers, each at the revision of its organization.

import { setImmediate as nextTurn } from "node:timers/promises";
import { foldCase } from "../../campaign/fold-case.ts";
import { findCampaignIdsChangedSince } from "../../storage/campaigns/campaign-revisions.ts";
import { findCampaigns, findCampaignsInOrder } from "../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { findDeletedSince } from "../../storage/campaigns/timeline-changes.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { findOrganization, type Organization } from "../../storage/organizations.ts";
import { CatchUpCache } from "../catch-up-cache.ts";
import { chunkOf, type NumbersChunk, type NumbersRow } from "./numbers-chunk.ts";
import { type NumbersState, NumbersTable } from "./numbers-table.ts";

/** Campaigns per batch: processing one blocks the event loop for a few milliseconds. */
const batchSize = 512;
/** With more changes than this, reloading is faster. */
const maxChanges = 2_000;
/** Some subjects take a millisecond to fold, so folding yields to the event loop after this time. */
const maxTurnMs = 5;

export class NumbersCache extends CatchUpCache<NumbersTable> {
  /** @param maxBytes of all numbers; the most recently used ones stay even if they are larger */
  constructor(database: Database, maxBytes: number) {
    super(
      {
        load: (id) => loadNumbers(database, id),
        catchUp: (id, numbers) => catchUp(database, id, numbers),
      },
      maxBytes,
    );
  }

  /**
   * The numbers of an organization, at its revision or a later one.
   *
   * @throws AppError `unavailable` if campaigns change faster than the numbers load
   */
  current({ id, revisionId }: Pick<Organization, "id" | "revisionId">): Promise<NumbersTable> {
    return this.at(id, revisionId);
  }
}

/** A campaign that changes during the load may be in two batches or missing; catching up corrects that. */
async function loadNumbers(database: Database, id: number): Promise<NumbersTable> {
  const state = stateOf(await database.query((queries) => findOrganization(queries, id)));
  const chunks: NumbersChunk[] = [];
  for (let last: StoredCampaign | undefined; ; ) {
    const range = { after: last?.campaign, limit: batchSize };
    const batch = await database.query((queries) => findCampaignsInOrder(queries, id, range));
    if (batch.length > 0) chunks.push(chunkOf((await withFoldedSubjects(batch)).reverse()));
    if (batch.length < batchSize) return new NumbersTable(state, chunks.reverse());
    last = batch.at(-1);
    await nextTurn();
  }
}

/** What changed in the database since the numbers. */
interface FoundChange {
  state: NumbersState;
  ids: number[];
  campaigns: StoredCampaign[];
  deletedTagIds: number[];
}

async function catchUp(
  database: Database,
  id: number,
  numbers: NumbersTable,
): Promise<NumbersTable | undefined> {
  const found = await database.snapshot((queries) => findChange(queries, id, numbers.state));
  if (!found) return undefined;
  if (found.state.revisionId === numbers.revisionId) return numbers;
  return numbers.after(found.state, { ...found, rows: await withFoldedSubjects(found.campaigns) });
}

/**
 * Every change of a campaign has a revision, also its deletion. A deleted tag is in the history of the timeline. Undefined
 * if there are too many changes, or if they are unknown: the numbers are from before a restored backup, or very old.
 *
 * @param queries of one transaction
 */
async function findChange(
  queries: Queries,
  id: number,
  since: NumbersState,
): Promise<FoundChange | undefined> {
  const state = stateOf(await findOrganization(queries, id));
  if (state.revisionId === since.revisionId) return { state, ids: [], campaigns: [], deletedTagIds: [] };
  if (state.historyId !== since.historyId || state.revision < since.revision) return undefined;
  const deletedTagIds = await findDeletedTags(queries, id, since, state);
  if (!deletedTagIds) return undefined;
  const range = { revision: since.revision, limit: maxChanges };
  const ids = await findCampaignIdsChangedSince(queries, id, range);
  if (ids.length === maxChanges) return undefined;
  return { state, ids, campaigns: await findCampaigns(queries, id, ids), deletedTagIds };
}

async function findDeletedTags(
  queries: Queries,
  id: number,
  { timelineRevision: revision, timelineRevisionId: revisionId }: NumbersState,
  now: NumbersState,
): Promise<number[] | undefined> {
  if (now.timelineRevisionId === revisionId) return [];
  const deleted = await findDeletedSince(queries, id, { revision, revisionId, limit: maxChanges });
  return deleted?.tagIds;
}

async function withFoldedSubjects(campaigns: readonly StoredCampaign[]): Promise<NumbersRow[]> {
  const rows: NumbersRow[] = [];
  let turnEndsAt = performance.now() + maxTurnMs;
  for (const stored of campaigns) {
    rows.push({ stored, subject: foldCase(stored.campaign.subject) });
    if (performance.now() < turnEndsAt) continue;
    await nextTurn();
    turnEndsAt = performance.now() + maxTurnMs;
  }
  return rows;
}

function stateOf(organization: Organization | undefined): NumbersState {
  return {
    revision: organization?.revision ?? 0,
    revisionId: organization?.revisionId ?? 0,
    historyId: organization?.historyId ?? 0,
    timelineRevision: organization?.timelineRevision ?? 0,
    timelineRevisionId: organization?.timelineRevisionId ?? 0,
  };
}
