// The groups of a recipient in a campaign.

import type { GroupsByAttribute } from "../events/recipient.ts";

/**
 * One group for each attribute. Recipients without a value form the group of the attribute itself.
 *
 * @param sources the first one with a value counts
 */
export function groupsIn(
  attributeIds: readonly number[],
  ...sources: readonly (GroupsByAttribute | undefined)[]
): GroupsByAttribute {
  return Object.fromEntries(
    attributeIds.map((id) => [id, sources.find((source) => source?.[id] !== undefined)?.[id] ?? id]),
  );
}
