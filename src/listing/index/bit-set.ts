// A set of ranks as bits: a union of tags and the count of its campaigns take some microseconds for 100,000 campaigns.

export class BitSet {
  readonly #words: Uint32Array;

  /** @param size ranks are below it */
  constructor(size: number) {
    this.#words = new Uint32Array(Math.ceil(size / 32));
  }

  add(rank: number): void {
    this.#words[rank >>> 5] = (this.#words[rank >>> 5] as number) | (1 << (rank & 31));
  }

  union(others: readonly BitSet[]): BitSet {
    const union = new BitSet(32 * this.#words.length);
    union.#words.set(this.#words);
    for (const { words } of others.map((other) => ({ words: other.#words }))) {
      for (let at = 0; at < words.length; at++) {
        union.#words[at] = (union.#words[at] as number) | (words[at] as number);
      }
    }
    return union;
  }

  /** The number of ranks from one until before another. */
  count(from: number, until: number): number {
    let count = 0;
    for (let at = from >>> 5; 32 * at < until; at++) count += countBits(this.#within(at, from, until));
    return count;
  }

  /** Ranks from one until before another, the largest first, without the first ones. */
  descending(from: number, until: number, skip: number, limit: number): number[] {
    const ranks: number[] = [];
    for (let at = (until - 1) >> 5; at >= from >>> 5 && ranks.length < limit; at--) {
      let word = this.#within(at, from, until);
      const count = countBits(word);
      if (skip >= count) {
        skip -= count;
        continue;
      }
      while (word !== 0 && ranks.length < limit) {
        const bit = 31 - Math.clz32(word);
        if (skip > 0) skip -= 1;
        else ranks.push(32 * at + bit);
        word &= ~(1 << bit);
      }
    }
    return ranks;
  }

  /** The bits of a word that lie in a range. */
  #within(at: number, from: number, until: number): number {
    const start = Math.max(from - 32 * at, 0);
    const end = Math.min(until - 32 * at, 32);
    if (start >= end) return 0;
    const upTo = end === 32 ? -1 : (1 << end) - 1;
    return (this.#words[at] as number) & upTo & (-1 << start);
  }
}

/** The number of ones in 32 bits, added up in parallel (Warren, Hacker's Delight, 5-1). */
function countBits(word: number): number {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
