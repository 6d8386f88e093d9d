// The id of a campaign whose export has none: always the same for the same campaign, so that importing again updates it.

import { createHash } from "node:crypto";

/** Chosen ids are smaller in practice, and generated ones from here to 2^53 - 1. */
export const smallestGeneratedId = 2 ** 52;

/** @param identity what identifies the campaign: the text of its id in the tool, or its time and texts */
export function generateId(identity: readonly (string | number | null)[]): number {
  const hash = createHash("sha256").update(JSON.stringify(identity)).digest();
  return smallestGeneratedId + Number(hash.readBigUInt64BE() >> 12n);
}

export function isGeneratedId(id: number): boolean {
  return id >= smallestGeneratedId;
}
