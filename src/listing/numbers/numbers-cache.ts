// A cache of numbers, each at the revision of its organization.

import { setImmediate as nextTurn } from "node:timers/promises";
import { foldCase } from "../../campaign/fold-case.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { findChangesAfter, findLastChanges } from "../../storage/campaigns/changes.ts";
import { type EmailKey, findSelectedRecords } from "../../storage/campaigns/emails.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { findOrganization, type Organization } from "../../storage/organizations.ts";
import { CatchUpCache } from "../catch-up-cache.ts";
import { chunkOf, type NumbersChunk, type NumbersRow } from "./numbers-chunk.ts";
import { type NumbersState, NumbersTable } from "./numbers-table.ts";

/** Campaigns per batch: processing one blocks the event loop for a few milliseconds. */
const batchSize = 512;
/** Changes per query. With more than this, reloading is faster. */
const maxChanges = 2_000;
/** Before the first change of a campaign. */
const beforeAll = { revision: -1, id: 0 };
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
  const state = await database.snapshot(async (queries) => ({
    ...(await findOrganizationState(queries, id)),
    changes: await findLastChanges(queries, id, { limit: maxChanges }),
    isBehind: true,
  }));
  const chunks: NumbersChunk[] = [];
  for (let last: StoredCampaign | undefined; ; ) {
    const range = { after: last?.campaign, limit: batchSize };
    const batch = await database.query((queries) => findPublished(queries, id, range));
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
}

async function catchUp(
  database: Database,
  id: number,
  numbers: NumbersTable,
): Promise<NumbersTable | undefined> {
  const found = await database.snapshot((queries) => findChange(queries, id, numbers.state));
  if (!found) return undefined;
  if (found.state === numbers.state) return numbers;
  return numbers.after(found.state, { ...found, rows: await withFoldedSubjects(found.campaigns) });
}

/**
 * Every change of a campaign has a revision, also its deletion. After a
 * load, the first ones of very many changes. Undefined if there are too many changes otherwise, or if they are unknown: the
 * numbers are from before a restored backup, or very old.
 *
 * After a restored backup, the numbers have changes that the database lost, or lack changes that have earlier revisions
 * than the lost ones. Either way, the last change of a campaign that has not changed since is another one in the numbers
 * than in the database.
 *
 * @param queries of one transaction
 */
async function findChange(
  queries: Queries,
  id: number,
  since: NumbersState,
): Promise<FoundChange | undefined> {
  const state = await findOrganizationState(queries, id);
  if (state.revisionId === since.revisionId && !since.isBehind) {
    return { state: since, ids: [], campaigns: [] };
  }
  const until = since.changes.at(-1);
  const found = await findChangesAfter(queries, id, { after: until ?? beforeAll, limit: maxChanges });
  const isBehind = found.length === maxChanges;
  if (isBehind && !since.isBehind) return undefined;
  const ids = found.map((change) => change.id);
  const changed = new Set(ids);
  const unchanged = since.changes.filter((change) => !changed.has(change.id));
  const [last] = until ? await findLastChanges(queries, id, { until, limit: 1 }) : [];
  // The numbers know more changes than were found, or those of all campaigns: without an unchanged one there is no other.
  if (!isBehind && last?.revisionId !== unchanged.at(-1)?.revisionId) return undefined;
  const changes = [...unchanged, ...found].slice(-maxChanges);
  return {
    state: { ...state, changes, isBehind },
    ids,
    campaigns: await findCampaigns(queries, id, ids),
  };
}

/** Published campaigns, newest first: those after one. */
async function findPublished(
  queries: Queries,
  id: number,
  { after, limit }: { after: EmailKey | undefined; limit: number },
): Promise<StoredCampaign[]> {
  const ids = (await findSelectedRecords(queries, id, {}, { after, limit })).map((record) => record.id);
  const found = new Map(
    (await findCampaigns(queries, id, ids)).map((stored) => [stored.campaign.id, stored]),
  );
  return ids.flatMap((campaignId) => found.get(campaignId) ?? []);
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

async function findOrganizationState(
  queries: Queries,
  id: number,
): Promise<Omit<NumbersState, "changes" | "isBehind">> {
  const organization = await findOrganization(queries, id);
  return {
    revisionId: organization?.revisionId ?? 0,
  };
}
