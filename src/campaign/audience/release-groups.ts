// Decides which groups of a campaign readers see. It is decided once, for one campaign and one attribute; everything above
// adds released groups only, so no interface and no difference of two answers reveals more than they do.

/** The recipients from which a group is released: what an organization can choose, and the default. */
export const minGroupLimits = { min: 5, max: 50, default: 10 } as const;

interface GroupSize {
  attributeId: number;
  groupId: number;
  recipients: number;
  enpsReactions: number;
}

export interface GroupRelease {
  isReleased: boolean;
  /** Whether the average of its eNPS ratings is. Their count is always. */
  areRatingsReleased: boolean;
}

/**
 * Withholds groups with few recipients, and groups with few ratings. The campaign's own numbers are known, and with them
 * what all withheld groups have together: if that is few too, the next smallest group is withheld as well.
 *
 * @param groups of one campaign, of any attributes
 * @param limits.minRatings 1 if recipients have names
 * @returns the decision for each group, by its id
 */
export function releaseGroups(
  groups: readonly GroupSize[],
  { minGroup, minRatings }: { minGroup: number; minRatings: number },
): Map<number, GroupRelease> {
  const released = new Map<number, GroupRelease>();
  for (const ofAttribute of Map.groupBy(groups, ({ attributeId }) => attributeId).values()) {
    const shown = withholdSmall(ofAttribute, ({ recipients }) => recipients, { min: minGroup, hidden: 0 });
    const visible = ofAttribute.filter((group) => shown.has(group));
    const ratings = ({ enpsReactions }: GroupSize) => enpsReactions;
    const hidden = sum(ofAttribute, ratings) - sum(visible, ratings);
    const rated = withholdSmall(visible, ratings, { min: minRatings, hidden });
    for (const group of ofAttribute) {
      released.set(group.groupId, { isReleased: shown.has(group), areRatingsReleased: rated.has(group) });
    }
  }
  return released;
}

/** @param hidden how many are withheld already */
function withholdSmall(
  groups: readonly GroupSize[],
  sizeOf: (group: GroupSize) => number,
  { min, hidden }: { min: number; hidden: number },
): Set<GroupSize> {
  const kept = groups
    .filter((group) => sizeOf(group) >= min)
    .sort((a, b) => sizeOf(a) - sizeOf(b) || a.groupId - b.groupId);
  let withheld = hidden + sum(groups, sizeOf) - sum(kept, sizeOf);
  while (withheld > 0 && withheld < min) {
    const next = kept.shift();
    if (!next) break;
    withheld += sizeOf(next);
  }
  return new Set(kept);
}

function sum(groups: readonly GroupSize[], sizeOf: (group: GroupSize) => number): number {
  return groups.reduce((total, group) => total + sizeOf(group), 0);
}
