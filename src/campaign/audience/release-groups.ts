// Decides which groups of a campaign readers see, from its numbers at one time. Everything above adds released groups only, so
// no interface needs a rule of its own. What changes between two times is not hidden: see decision 57.

/** The recipients from which a group is released: what an organization can choose, and the default. */
export const minGroupLimits = { min: 5, max: 50, default: 10 } as const;

interface GroupSize {
  attributeId: number;
  groupId: number;
  recipients: number;
  enpsReactions: number;
}

interface GroupRelease {
  isReleased: boolean;
  /** Whether the average of its eNPS ratings is. Their count is always. */
  areRatingsReleased: boolean;
}

/** What two groups of different attributes share. */
export interface Overlap {
  groupId: number;
  otherId: number;
  recipients: number;
  enpsReactions: number;
}

/**
 * Withholds groups with few recipients, and groups with few ratings. The campaign's own numbers are known, and with them
 * what all withheld groups have together: if that is few too, the next smallest group is withheld as well. Likewise if
 * groups of one attribute, without groups of another one that lie within them, leave few.
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
  const recipients: SizeOf = ({ recipients }) => recipients;
  const shown = new Set(
    attributes.flatMap((all) => withholdSmall(all, recipients, { min: minGroup, hidden: 0 })),
  );
  withholdNested(attributes, overlaps, shown, { sizeOf: recipients, min: minGroup });
  const ratings: SizeOf = ({ enpsReactions }) => enpsReactions;
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

type SizeOf = (of: Pick<GroupSize, "recipients" | "enpsReactions">) => number;

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
  released: GroupSize | undefined;
}

/** What a part shares with the parts of other attributes, by attribute. */
type SharedSizes = Map<Part, Map<number, Map<Part, number>>>;

/** Removes groups from `kept` until no parts leave few without the parts of another attribute that lie within them. */
function withholdNested(
  attributes: readonly (readonly GroupSize[])[],
  overlaps: readonly Overlap[],
  kept: Set<GroupSize>,
  { sizeOf, min }: { sizeOf: SizeOf; min: number },
): void {
  /** One more withheld group changes what the withheld ones of an attribute have together. */
  const candidatesOf = ({ released, attributeId }: Part) =>
    released ? [released] : [...kept].filter((group) => group.attributeId === attributeId);
  for (;;) {
    const shared = sharedSizes(partsOf(attributes, kept), overlaps, sizeOf);
    const [smallest] = findRevealing(shared, min, (part) => candidatesOf(part).length > 0)
      .flatMap(candidatesOf)
      .sort(bySize(sizeOf));
    if (!smallest) return;
    kept.delete(smallest);
  }
}

/** The part of each group, by its id. */
function partsOf(
  attributes: readonly (readonly GroupSize[])[],
  kept: ReadonlySet<GroupSize>,
): Map<number, Part> {
  const parts = new Map<number, Part>();
  for (const groups of attributes) {
    const withheld: Part = { attributeId: groups[0]?.attributeId ?? 0, released: undefined };
    for (const group of groups) {
      parts.set(group.groupId, kept.has(group) ? { ...withheld, released: group } : withheld);
    }
  }
  return parts;
}

function sharedSizes(
  parts: ReadonlyMap<number, Part>,
  overlaps: readonly Overlap[],
  sizeOf: SizeOf,
): SharedSizes {
  const shared: SharedSizes = new Map();
  const share = (part: Part, other: Part, size: number) => {
    const byAttribute = shared.get(part) ?? new Map<number, Map<Part, number>>();
    shared.set(part, byAttribute);
    const sizes = byAttribute.get(other.attributeId) ?? new Map<Part, number>();
    byAttribute.set(other.attributeId, sizes);
    sizes.set(other, (sizes.get(other) ?? 0) + size);
  };
  for (const overlap of overlaps) {
    const [part, other] = [parts.get(overlap.groupId), parts.get(overlap.otherId)];
    const size = sizeOf(overlap);
    if (!part || !other || size === 0) continue;
    share(part, other, size);
    share(other, part, size);
  }
  return shared;
}

/** Parts of two attributes, of which those of one lie within the others and leave few of them; empty if there are none. */
function findRevealing(shared: SharedSizes, min: number, canBeWithheld: (part: Part) => boolean): Part[] {
  for (const [part, byAttribute] of shared) {
    for (const others of byAttribute.values()) {
      for (const [other, size] of others) {
        const found = size < min ? findSmallRest(shared, part, other, min) : undefined;
        if (found?.some(canBeWithheld)) return found;
      }
    }
  }
  return [];
}

/**
 * The parts around the smallest rest that has what `from` shares with `to`: a minimum cut, found by a maximum flow (Ford
 * and Fulkerson, 1956) that stops at the limit. A part of the other attribute may be subtracted only with everything that
 * it shares, so the way back from it has no limit.
 *
 * @returns undefined if that rest is not smaller than `min`
 */
function findSmallRest(shared: SharedSizes, from: Part, to: Part, min: number): Part[] | undefined {
  const flows = new Map<Part, Map<Part, number>>();
  const leftOf = (part: Part, other: Part, size: number) => size - (flows.get(part)?.get(other) ?? 0);
  for (let flow = 0; ; ) {
    /** By the part that was reached: where from, and how much more can flow there. */
    const reached = new Map<Part, { before: Part | undefined; left: number }>([
      [from, { before: undefined, left: Number.POSITIVE_INFINITY }],
    ]);
    for (const [part, { left }] of reached) {
      const isForward = part.attributeId === from.attributeId;
      const next = shared.get(part)?.get(isForward ? to.attributeId : from.attributeId) ?? new Map();
      for (const [other, size] of next as Map<Part, number>) {
        const more = isForward ? Math.min(left, leftOf(part, other, size)) : left;
        if (more > 0 && !reached.has(other)) reached.set(other, { before: part, left: more });
      }
      if (reached.has(to)) break;
    }
    const end = reached.get(to);
    if (!end) return [...reached.keys()];
    flow += end.left;
    if (flow >= min) return undefined;
    addFlow(flows, reached, { from, to, flow: end.left });
  }
}

/** Adds a flow to each step of the way that was found. */
function addFlow(
  flows: Map<Part, Map<Part, number>>,
  reached: ReadonlyMap<Part, { before: Part | undefined }>,
  { from, to, flow }: { from: Part; to: Part; flow: number },
): void {
  for (let part = to; part !== from; ) {
    const before = reached.get(part)?.before as Part;
    if (before.attributeId === from.attributeId) {
      const own = flows.get(before) ?? new Map<Part, number>();
      flows.set(before, own.set(part, (own.get(part) ?? 0) + flow));
    }
    part = before;
  }
}

const bySize = (sizeOf: SizeOf) => (a: GroupSize, b: GroupSize) =>
  sizeOf(a) - sizeOf(b) || a.groupId - b.groupId;

function sum(groups: readonly GroupSize[], sizeOf: SizeOf): number {
  return groups.reduce((total, group) => total + sizeOf(group), 0);
}
