// Decides what readers see of a campaign by group: a copy of the counts that changes rarely. If one recipient did something
// between two copies, one group of each attribute would differ, and all of them together may fit one person only.

import { emptyGroupCounts, type GroupCounts } from "./group-counts.ts";
import type { GroupReleases } from "./release-groups.ts";

const sizeNames = ["recipients", "peopleOpens", "allOpens"] as const;
/** Withheld if a group has few ratings. Their number is not. */
const averageNames = ["enpsScores", "enpsPromoters", "enpsDetractors"] as const;

type SizeName = (typeof sizeNames)[number];
type OtherName = Exclude<keyof GroupCounts, SizeName>;

interface CountPart {
  /** Counts that are copied together. */
  names: readonly OtherName[];
  /** The counts that each recipient raises by one. */
  countedIn: readonly OtherName[];
  /** Whether it is copied once, from a settled campaign, and never changes after that. */
  isFinal?: true;
}

/** The counts that are copied separately from the opens, which all of them imply. */
const parts: readonly CountPart[] = [
  { names: ["peopleClicks", "allClicks"], countedIn: ["peopleClicks"] },
  { names: ["glanced", "skimmed", "read"], countedIn: ["glanced", "skimmed", "read"] },
  { names: ["enpsReactions", ...averageNames], countedIn: ["enpsReactions"], isFinal: true },
  { names: ["surveyReactions"], countedIn: ["surveyReactions"], isFinal: true },
];

/** The id of the withheld groups of an attribute together. No group has it. */
export const restId = 0;

interface CopyKey {
  attributeId: number;
  /** {@link restId} for the withheld groups. */
  groupId: number;
}

/** Counts of a group as readers see them. Those that are withheld are null. */
export type CopiedCounts = Pick<GroupCounts, SizeName> & Record<OtherName, number | null>;

export type CopiedGroup = CopyKey & CopiedCounts & { countedAt: number };

type Name = keyof GroupCounts;

const nullsOf = (names: readonly Name[]) => Object.fromEntries(names.map((name) => [name, null]));

/**
 * Everything that readers may see at one time: released groups, and the rest of each attribute without averages.
 *
 * @param groups as they are counted now
 */
export function copyGroups(
  groups: readonly (CopyKey & GroupCounts)[],
  releases: GroupReleases,
  now: number,
): CopiedGroup[] {
  const copies = groups.map((group): CopiedGroup => {
    const counts = { ...group, ...(!releases.get(group.groupId) && nullsOf(averageNames)), countedAt: now };
    return releases.has(group.groupId) ? counts : { ...counts, groupId: restId };
  });
  // A rest is there even if it is empty now: it may get the counts of groups that are withheld or gone later.
  const rests = [...new Set(groups.map(({ attributeId }) => attributeId))].map((attributeId) => ({
    attributeId,
    groupId: restId,
    countedAt: now,
    ...emptyGroupCounts(),
    ...nullsOf(averageNames),
  }));
  return mergeRests([...copies, ...rests]);
}

/** Adds up the rests of each attribute. */
function mergeRests(groups: readonly CopiedGroup[]): CopiedGroup[] {
  const rests = new Map<number, CopiedGroup>();
  for (const group of groups.filter(({ groupId }) => groupId === restId)) {
    const rest = rests.get(group.attributeId);
    rests.set(group.attributeId, rest ? { ...group, ...addCounts(rest, group) } : group);
  }
  return [...groups.filter(isGroup), ...rests.values()];
}

const allNames = [...sizeNames, ...parts.flatMap(({ names }) => names)];

/** A sum of counts of which none is known is not known. */
function addCounts(one: CopiedGroup, other: CopiedGroup): CopiedCounts {
  const sums = allNames.map((name) => {
    const [a, b] = [one[name], other[name]];
    return [name, a === null && b === null ? null : (a ?? 0) + (b ?? 0)];
  });
  return Object.fromEntries(sums) as CopiedCounts;
}

const isGroup = ({ groupId }: CopyKey) => groupId !== restId;

/**
 * The next copy of a campaign whose recipients have no names. A count changes once as many recipients more opened, and clicked,
 * read or answered, as a group has at least. Answers change once.
 *
 * @param copy what readers see now; empty before the first copy
 * @param fresh what they would see of the live counts
 */
export function nextCopy(
  copy: readonly CopiedGroup[],
  fresh: readonly CopiedGroup[],
  { minGroup, isSettled }: { minGroup: number; isSettled: boolean },
): readonly CopiedGroup[] {
  const isEnough = (names: readonly Name[]) => changeOf(copy, fresh, names) >= minGroup;
  const isNew = isEnough(["peopleOpens"]);
  let next = isNew ? fresh : copy;
  for (const { names, countedIn, isFinal } of parts) {
    const isFirst = copy.every((group) => group[countedIn[0] as OtherName] === null);
    const mayChange = isFinal ? isSettled && isFirst : isNew;
    next = mayChange && isEnough(countedIn) ? withCounts(next, fresh, names) : withCounts(next, copy, names);
  }
  return next;
}

/** Whether enough recipients more opened for a new copy. @param groups as they are counted now */
export function hasNewOpens(
  copy: readonly CopiedGroup[],
  groups: readonly (CopyKey & GroupCounts)[],
  minGroup: number,
): boolean {
  return changeOf(copy, groups, ["peopleOpens"]) >= minGroup;
}

type Counted = CopyKey & Record<Name, number | null>;

/**
 * Returns by how much the sum of some counts differs. Every recipient has a group of each attribute, so one
 * that both have tells it.
 */
function changeOf(copy: readonly Counted[], fresh: readonly Counted[], names: readonly Name[]): number {
  const attributeId = (copy[0] ?? fresh[0])?.attributeId;
  const total = (groups: readonly Counted[]) =>
    groups
      .filter((group) => group.attributeId === attributeId)
      .reduce((sum, group) => sum + names.reduce((own, name) => own + (group[name] ?? 0), 0), 0);
  return Math.abs(total(fresh) - total(copy));
}

/** The groups with some counts of other copies of them. Groups that these do not have get none. */
function withCounts(
  groups: readonly CopiedGroup[],
  from: readonly CopiedGroup[],
  names: readonly Name[],
): readonly CopiedGroup[] {
  if (groups === from) return groups;
  const ids = new Set(groups.map(({ groupId }) => groupId));
  // What a group had that is withheld now belongs to the rest, so that the sum stays.
  const known = mergeRests(
    from.map((group) => (ids.has(group.groupId) ? group : { ...group, groupId: restId })),
  );
  const keyOf = ({ attributeId, groupId }: CopyKey) => `${attributeId} ${groupId}`;
  const counts = new Map(known.map((group) => [keyOf(group), group]));
  return groups.map((group) => {
    const own = counts.get(keyOf(group));
    return { ...group, ...Object.fromEntries(names.map((name) => [name, own?.[name] ?? null])) };
  });
}

/**
 * A copy without what may not be seen any more. It shows no newer count, so what happened since the last copy stays hidden.
 * Answers stay as they were seen, unless there were none.
 *
 * @param fresh what readers would see of the live counts
 */
export function withhold(
  copy: readonly CopiedGroup[],
  fresh: readonly CopiedGroup[],
): readonly CopiedGroup[] {
  const released = new Map(fresh.filter(isGroup).map((group) => [group.groupId, group]));
  const open = parts.filter(
    ({ isFinal, countedIn }) => isFinal && copy.every((group) => !group[countedIn[0] as OtherName]),
  );
  const early = open.flatMap(({ names }) => names);
  const left = copy.map((group): CopiedGroup => {
    const allowed = released.get(group.groupId);
    const hidden = (allowed?.enpsScores ?? null) === null ? averageNames : [];
    return { ...group, groupId: allowed ? group.groupId : restId, ...nullsOf([...early, ...hidden]) };
  });
  return mergeRests(left);
}
