// The id of a campaign whose export has none: always the same for the same campaign, so that importing again updates it.

import { createHash } from "node:crypto";
import { smallestGeneratedId } from "../../../storage/campaigns/campaign-ids.ts";

/** @param identity what identifies the campaign: the text of its id in the tool, or its time and texts */
export function generateId(identity: readonly (string | number | null)[]): number {
  const hash = createHash("sha256").update(JSON.stringify(identity)).digest();
  return smallestGeneratedId + Number(hash.readBigUInt64BE() % BigInt(9 * smallestGeneratedId));
}

export function isGeneratedId(id: number): boolean {
  return id >= smallestGeneratedId && id < 10 * smallestGeneratedId;
}
