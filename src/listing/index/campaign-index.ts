// The index of an organization: the order of its campaigns and their tags, in columns. Ranks count from the oldest campaign.

import type { Change } from "../../storage/campaigns/changes.ts";
import type { EmailKey, EmailSelection } from "../../storage/campaigns/emails.ts";
import type { TaggedId } from "../../storage/campaigns/index-rows.ts";

/** The organization at the revision that the index shows. */
export interface IndexState {
  revision: number;
  revisionId: number;
  timeZone: string;
  /** Whether the index lacks changes of this revision: it was just loaded, or there were very many. */
  isPart: boolean;
  /** The last changes, in their order: all of them, or enough to recognize the history. */
  changes: readonly Change[];
}

export class CampaignIndex {
  state: IndexState;
  #ids: Float64Array;
  #sentAts: Float64Array;
  /** The tags of each campaign: a position in the list of different sets of tags. */
  #tagSets: Uint32Array;
  readonly #setNumbers = new Map<string, number>();
  readonly #sets: (readonly number[])[] = [];

  /** @param rows in any order, @param tags in any order */
  constructor(state: IndexState, rows: readonly EmailKey[], tags: readonly TaggedId[]) {
    this.state = state;
    const sorted = rows.toSorted(compareKeys);
    this.#ids = Float64Array.from(sorted, ({ id }) => id);
    this.#sentAts = Float64Array.from(sorted, ({ sentAt }) => sentAt);
    const tagsOf = groupTags(tags);
    this.#tagSets = Uint32Array.from(sorted, ({ id }) => this.#numberOfSet(tagsOf.get(id) ?? []));
  }

  get size(): number {
    return this.#ids.length;
  }

  /** Approximate memory: of each campaign two numbers and the number of a set of tags. */
  get bytes(): number {
    return 20 * this.size + 1_000;
  }

  keyAt(rank: number): EmailKey {
    return { sentAt: this.#sentAts[rank] as number, id: this.#ids[rank] as number };
  }

  idAt(rank: number): number {
    return this.#ids[rank] as number;
  }

  /**
   * The ranks of a page, descending, and how many campaigns match.
   *
   * @param offset how many of the newest campaigns to skip
   */
  select({ sentFrom, sentUntil, tagIds }: EmailSelection, offset: number, limit: number) {
    const until = sentUntil === undefined ? this.size : this.#countBefore(sentUntil);
    const from = sentFrom === undefined ? 0 : Math.min(this.#countBefore(sentFrom), until);
    if (!tagIds) {
      const first = until - offset - 1;
      const count = Math.max(Math.min(limit, first - from + 1), 0);
      return { ranks: Array.from({ length: count }, (_, index) => first - index), total: until - from };
    }
    const wanted = new Set(tagIds);
    const isWanted = Uint8Array.from(this.#sets, (set) => Number(set.some((tagId) => wanted.has(tagId))));
    const tagSets = this.#tagSets;
    const ranks: number[] = [];
    let total = 0;
    for (let rank = until - 1; rank >= from; rank--) {
      // Adding costs less than a branch that no processor can predict.
      const match = isWanted[tagSets[rank] as number] as number;
      total += match;
      if (ranks.length < limit && total > offset && match === 1) ranks.push(rank);
    }
    return { ranks, total };
  }

  /** The rank of a campaign; undefined if it is not in this place. */
  rankOf(key: EmailKey): number | undefined {
    const rank = this.#rankOf(key);
    return this.#ids[rank] === key.id && this.#sentAts[rank] === key.sentAt ? rank : undefined;
  }

  /** Whether a campaign is in this place with these tags, which ascend. */
  has(key: EmailKey, tagIds: readonly number[] = []): boolean {
    const rank = this.rankOf(key);
    return rank !== undefined && this.#tagSets[rank] === this.#setNumbers.get(tagIds.join(","));
  }

  /**
   * Adds, moves, retags and deletes campaigns.
   *
   * @returns the least rank from which on campaigns have another place
   */
  reorder(rows: readonly EmailKey[], tags: readonly TaggedId[], deletedIds: readonly number[]): number {
    const removed = new Set([...rows.map(({ id }) => id), ...deletedIds]);
    const added = rows.toSorted(compareKeys);
    const tagsOf = groupTags(tags);
    const kept = Uint32Array.from(this.#ids.keys()).filter((rank) => !removed.has(this.idAt(rank)));
    const size = kept.length + added.length;
    const [ids, sentAts] = [new Float64Array(size), new Float64Array(size)];
    const tagSets = new Uint32Array(size);
    let [next, taken, firstMoved] = [0, 0, size];
    for (let rank = 0; rank < size; rank++) {
      const old = kept[next];
      const row = added[taken];
      const isAdded = row !== undefined && (old === undefined || compareKeys(row, this.keyAt(old)) < 0);
      const { id, sentAt } = isAdded ? row : this.keyAt(old as number);
      ids[rank] = id;
      sentAts[rank] = sentAt;
      tagSets[rank] = isAdded
        ? this.#numberOfSet(tagsOf.get(id) ?? [])
        : (this.#tagSets[old as number] as number);
      if (isAdded || old !== rank) firstMoved = Math.min(firstMoved, rank);
      if (isAdded) taken += 1;
      else next += 1;
    }
    this.#ids = ids;
    this.#sentAts = sentAts;
    this.#tagSets = tagSets;
    return firstMoved;
  }

  #numberOfSet(tagIds: readonly number[]): number {
    const key = tagIds.join(",");
    const known = this.#setNumbers.get(key);
    if (known !== undefined) return known;
    this.#setNumbers.set(key, this.#sets.length);
    return this.#sets.push(tagIds) - 1;
  }

  /** How many campaigns were sent before an instant. */
  #countBefore(instant: number): number {
    return this.#rankOf({ sentAt: instant, id: Number.NEGATIVE_INFINITY });
  }

  /** The rank of the first campaign that does not come before a key. */
  #rankOf(key: EmailKey): number {
    let [from, until] = [0, this.size];
    while (from < until) {
      const middle = (from + until) >>> 1;
      const difference =
        (this.#sentAts[middle] as number) - key.sentAt || (this.#ids[middle] as number) - key.id;
      if (difference < 0) from = middle + 1;
      else until = middle;
    }
    return from;
  }
}

function compareKeys(a: EmailKey, b: EmailKey): number {
  return a.sentAt - b.sentAt || a.id - b.id;
}

/** The ids of the tags of each campaign. */
export function groupTags(tags: readonly TaggedId[]): Map<number, number[]> {
  const byId = new Map<number, number[]>();
  for (const { id, tagId } of tags) {
    const others = byId.get(id);
    if (others) others.push(tagId);
    else byId.set(id, [tagId]);
  }
  return byId;
}
