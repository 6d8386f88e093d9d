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

/** How many recipients two groups of different attributes share. */
export interface Overlap {
  groupId: number;
  otherId: number;
  recipients: number;
}

/**
 * Withholds groups with few recipients, and groups with few ratings. The campaign's own numbers are known, and with them
 * what all withheld groups have together: if that is few too, the next smallest group is withheld as well. Likewise if a
 * group of one attribute, without the groups of another one that lie within it, leaves few.
 *
 * @param groups of one campaign, of any attributes
 * @param overlaps of these groups; pairs without a common recipient are left out
 * @param limits.minRatings 1 if recipients have names
 * @returns the decision for each group, by its id
 */
export function releaseGroups(
  groups: readonly GroupSize[],
  overlaps: readonly Overlap[],
  { minGroup, minRatings }: { minGroup: number; minRatings: number },
): Map<number, GroupRelease> {
  const attributes = [...Map.groupBy(groups, ({ attributeId }) => attributeId).values()];
  const recipients = ({ recipients }: GroupSize) => recipients;
  const shown = new Set(
    attributes.flatMap((all) => withholdSmall(all, recipients, { min: minGroup, hidden: 0 })),
  );
  withholdNested(attributes, overlaps, shown, { sizeOf: recipients, min: minGroup });
  const ratings = ({ enpsReactions }: GroupSize) => enpsReactions;
  const rated = new Set(
    attributes.flatMap((all) => {
      const visible = all.filter((group) => shown.has(group));
      const hidden = sum(all, ratings) - sum(visible, ratings);
      return withholdSmall(visible, ratings, { min: minRatings, hidden });
    }),
  );
  withholdNested(attributes, overlaps, rated, { sizeOf: ratings, min: minRatings });
  return new Map(
    groups.map((group) => [
      group.groupId,
      { isReleased: shown.has(group), areRatingsReleased: rated.has(group) },
    ]),
  );
}

type SizeOf = (group: GroupSize) => number;

/** @param hidden how many are withheld already. @returns the groups that are kept */
function withholdSmall(
  groups: readonly GroupSize[],
  sizeOf: SizeOf,
  { min, hidden }: { min: number; hidden: number },
): GroupSize[] {
  const kept = groups.filter((group) => sizeOf(group) >= min).sort(bySize(sizeOf));
  let withheld = hidden + sum(groups, sizeOf) - sum(kept, sizeOf);
  while (withheld > 0 && withheld < min) {
    const next = kept.shift();
    if (!next) break;
    withheld += sizeOf(next);
  }
  return kept;
}

/** A released group, or all withheld groups of an attribute, whose sum is known from the campaign's own numbers. */
interface Part {
  attributeId: number;
  size: number;
  released: GroupSize | undefined;
}

/** Removes groups from `kept` until no part leaves few without the parts of another attribute that lie within it. */
function withholdNested(
  attributes: readonly (readonly GroupSize[])[],
  overlaps: readonly Overlap[],
  kept: Set<GroupSize>,
  { sizeOf, min }: { sizeOf: SizeOf; min: number },
): void {
  for (;;) {
    const parts = partsOf(attributes, kept, sizeOf);
    const revealing = findRevealing(parts, overlaps, min);
    if (!revealing) return;
    // One more withheld group changes what the withheld ones of an attribute have together.
    const candidates = revealing.flatMap(
      ({ released, attributeId }) =>
        released ?? [...kept].filter((group) => group.attributeId === attributeId),
    );
    const [smallest] = candidates.sort(bySize(sizeOf));
    if (!smallest) return;
    kept.delete(smallest);
  }
}

/** The part of each group, by its id. */
function partsOf(
  attributes: readonly (readonly GroupSize[])[],
  kept: ReadonlySet<GroupSize>,
  sizeOf: SizeOf,
): Map<number, Part> {
  const parts = new Map<number, Part>();
  for (const groups of attributes) {
    const withheld: Part = { attributeId: groups[0]?.attributeId ?? 0, size: 0, released: undefined };
    for (const group of groups) {
      if (kept.has(group)) parts.set(group.groupId, { ...withheld, size: sizeOf(group), released: group });
      else parts.set(group.groupId, withheld);
    }
    withheld.size = sum(
      groups.filter((group) => !kept.has(group)),
      sizeOf,
    );
  }
  return parts;
}

/** A part and those of another attribute within it, if they leave few; undefined if there is none. */
function findRevealing(
  parts: ReadonlyMap<number, Part>,
  overlaps: readonly Overlap[],
  min: number,
): Part[] | undefined {
  /** The parts that share recipients with a part, by their attribute. */
  const shared = new Map<Part, Map<number, Set<Part>>>();
  const share = (part: Part | undefined, other: Part | undefined) => {
    if (!part || !other) return;
    const byAttribute = shared.get(part) ?? new Map<number, Set<Part>>();
    shared.set(part, byAttribute);
    byAttribute.set(other.attributeId, (byAttribute.get(other.attributeId) ?? new Set()).add(other));
  };
  for (const { groupId, otherId } of overlaps) {
    share(parts.get(groupId), parts.get(otherId));
    share(parts.get(otherId), parts.get(groupId));
  }
  for (const [part, byAttribute] of shared) {
    for (const others of byAttribute.values()) {
      const within = [...others].filter((other) => shared.get(other)?.get(part.attributeId)?.size === 1);
      const left = within.reduce((size, other) => size - other.size, part.size);
      if (within.length > 0 && left > 0 && left < min) return [part, ...within];
    }
  }
  return undefined;
}

const bySize = (sizeOf: SizeOf) => (a: GroupSize, b: GroupSize) =>
  sizeOf(a) - sizeOf(b) || a.groupId - b.groupId;

function sum(groups: readonly GroupSize[], sizeOf: SizeOf): number {
  return groups.reduce((total, group) => total + sizeOf(group), 0);
}
