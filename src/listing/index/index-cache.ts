// Keeps the indexes of organizations, and blocks of the bytes of their records, in memory. An index follows the change log.

import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { AppError } from "../../errors.ts";
import { singleFlight } from "../../limits/single-flight.ts";
import {
  beforeAllChanges,
  type Change,
  findChangesAfter,
  findLastChanges,
} from "../../storage/campaigns/changes.ts";
import type { EmailKey, EmailSelection } from "../../storage/campaigns/emails.ts";
import {
  findPublishedKeys,
  findRecordsBetween,
  findTagIdsOf,
  findTagsInRange,
  type TaggedId,
} from "../../storage/campaigns/index-rows.ts";
import { findOrganization, type Organization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { CampaignIndex, groupTags, type IndexState } from "./campaign-index.ts";
import { blockOf, blockSize, type RecordBlock, slicesOf } from "./record-blocks.ts";

/** Campaigns per statement of a load: reading them blocks the event loop for a few milliseconds. */
const loadBatch = 2_000;
/** Changes that an index catches up with, and that it remembers. With more, it is loaded again. */
const maxChanges = 2_000;
/** Times that an organization may change while one page is read. */
const maxAttempts = 50;

/** The records of a page. */
export interface IndexedPage {
  /** Pieces of JSON: the records, newest first, with commas between them. */
  slices: Uint8Array[];
  /** Records on the page. */
  count: number;
  /** Records on all pages. */
  total: number;
  /** Identifies the state of the organization that the page shows. */
  revisionId: number;
  /** The time zone of the organization in this state. */
  timeZone: string;
}

interface CachedIndex {
  index: CampaignIndex;
  /** Tells the blocks of this index from those of an earlier one. */
  generation: number;
}

export class IndexCache {
  readonly #database: Database;
  /** Indexes by `organization`, blocks by `generation/number`. */
  readonly #entries: LRUCache<string, CachedIndex | RecordBlock>;
  readonly #update: (organizationId: number) => Promise<CachedIndex>;
  #generations = 0;

  /** @param maxBytes of all indexes and blocks */
  constructor(database: Database, maxBytes: number) {
    this.#database = database;
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      // Even an entry that is too large stays until the next one comes.
      sizeCalculation: (entry) =>
        Math.min("index" in entry ? entry.index.bytes : entry.bytes.length + 1_000, maxBytes),
    });
    this.#update = singleFlight(
      (id: number) => id,
      (id) => this.#catchUp(id),
    );
  }

  /** Approximate memory of all indexes and blocks. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /**
   * Reads a page at the revision of the organization, or a later one. Its records and its total are of one state.
   *
   * @throws AppError `unavailable` if the campaigns change faster than they can be read
   */
  async page(
    organization: Pick<Organization, "id" | "revisionId">,
    filter: EmailSelection,
    { page, perPage }: { page: number; perPage: number },
  ): Promise<IndexedPage> {
    let cached = this.#find(organization.id);
    if (cached?.index.state.revisionId !== organization.revisionId)
      cached = await this.#update(organization.id);
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { state } = cached.index;
      const { ranks, total } = cached.index.select(filter, (page - 1) * perPage, perPage);
      const blocks = await this.#findBlocks(organization.id, cached, ranks);
      if (blocks === "outdated") cached = await this.#update(organization.id);
      // Without blocks, another request has brought the index up to date meanwhile.
      else if (blocks) return { ...state, slices: slicesOf(ranks, blocks), count: ranks.length, total };
    }
    throw changesTooFast();
  }

  /** The number of campaigns of an organization. */
  async count(organization: Pick<Organization, "id" | "revisionId">): Promise<number> {
    return (await this.page(organization, {}, { page: 1, perPage: 0 })).total;
  }

  #find(organizationId: number): CachedIndex | undefined {
    return this.#entries.get(String(organizationId)) as CachedIndex | undefined;
  }

  /**
   * The blocks with some campaigns, from memory or from the database.
   *
   * @returns undefined if the index changed meanwhile; `outdated` if the database has other records than the index lists
   */
  async #findBlocks(
    organizationId: number,
    cached: CachedIndex,
    ranks: readonly number[],
  ): Promise<Map<number, RecordBlock> | "outdated" | undefined> {
    const { index } = cached;
    const { state } = index;
    const blocks = new Map<number, RecordBlock>();
    for (const rank of ranks) {
      const number = Math.floor(rank / blockSize);
      if (blocks.has(number)) continue;
      const known = this.#entries.get(keyOf(cached, number)) as RecordBlock | undefined;
      const block = known ?? (await this.#loadBlock(organizationId, index, number));
      if (index.state !== state) return undefined;
      if (!block) return "outdated";
      if (!known) this.#entries.set(keyOf(cached, number), block);
      blocks.set(number, block);
    }
    return blocks;
  }

  /** @returns undefined if the database has other records than the index lists, or later ones */
  async #loadBlock(
    organizationId: number,
    index: CampaignIndex,
    number: number,
  ): Promise<RecordBlock | undefined> {
    const { revision } = index.state;
    const oldest = number * blockSize;
    const newest = Math.min(oldest + blockSize, index.size) - 1;
    const [from, to] = [index.keyAt(newest), index.keyAt(oldest)];
    const ids = Array.from({ length: newest - oldest + 1 }, (_, at) => index.idAt(newest - at));
    const rows = await this.#database.queryOf(organizationId, (scope) => findRecordsBetween(scope, from, to));
    const isSame =
      rows.length === ids.length &&
      rows.every(({ id, updatedAt }, at) => id === ids[at] && updatedAt <= revision);
    return isSame ? blockOf(rows) : undefined;
  }

  async #catchUp(organizationId: number): Promise<CachedIndex> {
    let cached = this.#find(organizationId);
    if (cached && (await this.#apply(organizationId, cached)) !== "done") cached = undefined;
    for (let attempt = 0; !cached && attempt < maxAttempts; attempt++) {
      const loaded = { index: await this.#load(organizationId), generation: ++this.#generations };
      let result = await this.#apply(organizationId, loaded);
      while (result === "more") result = await this.#apply(organizationId, loaded);
      if (result === "done") cached = loaded;
    }
    if (!cached) throw changesTooFast();
    this.#entries.set(String(organizationId), cached);
    return cached;
  }

  /** Campaigns that change during the load may be missing or twice: the changes after its state correct that. */
  async #load(id: number): Promise<CampaignIndex> {
    const state = await this.#database.snapshotOf(id, findState);
    const keys = new Map<number, EmailKey>();
    const tags: TaggedId[] = [];
    for (let after = 0; ; ) {
      const batch = await this.#database.queryOf(id, (scope) =>
        findPublishedKeys(scope, { after, limit: loadBatch }),
      );
      const last = batch.at(-1);
      if (!last) return new CampaignIndex(state, [...keys.values()], tags);
      for (const key of batch) keys.set(key.id, key);
      const range = { after, until: last.id };
      for (const tag of await this.#database.queryOf(id, (scope) => findTagsInRange(scope, range)))
        tags.push(tag);
      after = last.id;
      await nextTurn();
    }
  }

  /**
   * Applies the changes since the state of an index, or the first ones of very many.
   *
   * @returns `other history` if a backup was restored since
   */
  async #apply(organizationId: number, cached: CachedIndex): Promise<"done" | "more" | "other history"> {
    const { index } = cached;
    const update = await this.#database.snapshotOf(organizationId, (scope) => findUpdate(scope, index));
    if (!update) return "other history";
    const { state, moved, tags, changes } = update;
    const deletedIds = changes.filter(({ sentAt }) => sentAt === null).map(({ id }) => id);
    for (const { id, sentAt } of changes) {
      const rank = sentAt === null ? undefined : index.rankOf({ id, sentAt });
      if (rank !== undefined) this.#entries.delete(keyOf(cached, Math.floor(rank / blockSize)));
    }
    if (moved.length > 0 || deletedIds.length > 0) {
      const lastBlock = Math.floor(index.size / blockSize);
      const first = index.reorder(moved, tags, deletedIds);
      for (let number = Math.floor(first / blockSize); number <= lastBlock; number++) {
        this.#entries.delete(keyOf(cached, number));
      }
    }
    index.state = state;
    return state.isPart ? "more" : "done";
  }
}

const keyOf = ({ generation }: CachedIndex, number: number) => `${generation}/${number}`;

function changesTooFast(): AppError {
  return new AppError("unavailable", "The records change faster than they can be read. Try again.");
}

async function findState(scope: Scope): Promise<IndexState> {
  const { revision = 0, revisionId = 0, timeZone = "UTC" } = (await findOrganization(scope)) ?? {};
  const changes = await findLastChanges(scope, { limit: maxChanges });
  // Campaigns may change while the index loads, so it shows no state yet.
  return { revision, revisionId, timeZone, changes, isPart: true };
}

interface IndexUpdate {
  state: IndexState;
  changes: Change[];
  /** The changed campaigns that are new to the index, or were moved or retagged. */
  moved: EmailKey[];
  /** The tags of the changed campaigns. */
  tags: TaggedId[];
}

/**
 * Finds the changes since the state of an index. A restored backup is recognized here: the last change of a campaign that
 * has not changed since must be the same in the index and in the database.
 *
 * @returns undefined if it is not
 */
async function findUpdate(scope: Scope, index: CampaignIndex): Promise<IndexUpdate | undefined> {
  const since = index.state;
  const { revision = 0, revisionId = 0, timeZone = "UTC" } = (await findOrganization(scope)) ?? {};
  if (revision < since.revision) return undefined;
  if (revisionId === since.revisionId && !since.isPart)
    return { state: since, changes: [], moved: [], tags: [] };
  const until = since.changes.at(-1);
  const after = until ?? beforeAllChanges;
  const changes = await findChangesAfter(scope, { after, limit: maxChanges });
  const changed = new Set(changes.map((change) => change.id));
  const unchanged = since.changes.filter((change) => !changed.has(change.id));
  const isPart = changes.length === maxChanges;
  const [last] = until ? await findLastChanges(scope, { until, limit: 1 }) : [];
  if (!isPart && last?.revisionId !== unchanged.at(-1)?.revisionId) return undefined;
  const keys = changes.flatMap(({ id, sentAt }) => (sentAt === null ? [] : [{ id, sentAt }]));
  const tags = await findTagIdsOf(
    scope,
    keys.map((key) => key.id),
  );
  const tagsOf = groupTags(tags);
  // The revision of the last move does not tell: before a backup was restored, the campaign may have moved in
  // another history.
  const moved = keys.filter((key) => !index.has(key, tagsOf.get(key.id)));
  const state = {
    revision,
    revisionId,
    timeZone,
    isPart,
    changes: [...unchanged, ...changes].slice(-maxChanges),
  };
  return { state, changes, moved, tags };
}
