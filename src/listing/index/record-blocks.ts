// Blocks of the bytes of records: consecutive campaigns, newest first, so that a page is a slice of one block or two.

import type { RecordRow } from "../../storage/campaigns/index-rows.ts";

/** Campaigns per block: fewer would make more slices a page, more would take longer to read again after a change. */
export const blockSize = 64;

export interface RecordBlock {
  /** The records as JSON, newest first, each with a comma after it. */
  bytes: Buffer;
  /** The end of each record, with its comma. */
  ends: Uint32Array;
}

/** @param rows the records of a block, newest first */
export function blockOf(rows: readonly RecordRow[]): RecordBlock {
  const ends = new Uint32Array(rows.length);
  const bytes = Buffer.from(rows.map(({ record }) => `${record},`).join(""));
  let end = 0;
  rows.forEach(({ record }, at) => {
    end += Buffer.byteLength(record) + 1;
    ends[at] = end;
  });
  return { bytes, ends };
}

/**
 * The pieces of a page, with commas between the records. Ranks that follow each other in a block share a piece.
 *
 * @param ranks descending
 * @param blocks by number
 */
export function slicesOf(ranks: readonly number[], blocks: ReadonlyMap<number, RecordBlock>): Uint8Array[] {
  const slices: Uint8Array[] = [];
  for (let at = 0; at < ranks.length; ) {
    const first = ranks[at] as number;
    const number = Math.floor(first / blockSize);
    let count = 1;
    while (ranks[at + count] === first - count && Math.floor((first - count) / blockSize) === number)
      count += 1;
    const { bytes, ends } = blocks.get(number) as RecordBlock;
    // The newest campaign of a block comes first in it.
    const newest = ends.length - 1 - (first % blockSize);
    const isLast = at + count === ranks.length;
    const end = (ends[newest + count - 1] as number) - (isLast ? 1 : 0);
    slices.push(bytes.subarray(newest === 0 ? 0 : ends[newest - 1], end));
    at += count;
  }
  return slices;
}
