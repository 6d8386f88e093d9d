// Decides which groups of a campaign readers see, from its numbers at one time. Everything above adds released groups only, so
// no interface needs a rule of its own. What changes between two times is not hidden: see decision 57.

import { type Combination, KnownParts } from "./known-parts.ts";
import { withholdCuts } from "./withhold-cuts.ts";
import { type Limits, withholdSums } from "./withhold-sums.ts";

/** The recipients from which a group is released: what an organization can choose, and the default. */
export const minGroupLimits = { min: 5, max: 50, default: 10 } as const;

/** Parts that are added or subtracted. More are looked at for two attributes only. */
const maxParts = 5;

/** About two seconds. 50,000 recipients with eight attributes of 300 values take two thirds of it, most campaigns a hundredth. */
const maxSteps = 30_000_000;

interface ReleaseLimits {
  minGroup: number;
  /** 1 if recipients have names. */
  minRatings: number;
  /** Whether recipients without an event count. A list can invent them, so that a group of one person looks large. */
  countsInactive: boolean;
}

/** Says of each released group, by id, whether its average eNPS rating is released. The count always is. */
export type GroupReleases = ReadonlyMap<number, boolean>;

/**
 * Withholds groups with few recipients or ratings, and others from which a reader could compute what few recipients did.
 * Readers know released groups, the campaign's own numbers, and with both what all withheld groups of an attribute have.
 *
 * @param combinations of one campaign
 * @param isCandidate whether a group may be released
 */
export function releaseGroups(
  combinations: readonly Combination[],
  attributeIds: readonly number[],
  { minGroup, minRatings, countsInactive }: ReleaseLimits,
  isCandidate: (groupId: number) => boolean = () => true,
): GroupReleases {
  const weightOfInactive = countsInactive ? 1 : 2 ** -24;
  const recipients = (of: Combination) => of.active + weightOfInactive * (of.recipients - of.active);
  const shown = new KnownParts(combinations, attributeIds, recipients, isCandidate);
  withholdSmall(shown, minGroup);
  const ratings = ({ enpsReactions }: Combination) => enpsReactions;
  const rated = new KnownParts(combinations, attributeIds, ratings, (id) => shown.released.has(id));
  if (minRatings > 1) withholdSmall(rated, minRatings);
  return new Map([...shown.released.keys()].map((id) => [id, minRatings === 1 || rated.released.has(id)]));
}

/** Withholds groups until no sum of parts depends on few. Sums of fewer parts come first: they need fewer groups withheld. */
function withholdSmall(parts: KnownParts, min: number): void {
  const limits: Limits = { min, budget: { steps: maxSteps } };
  const rules = [
    () => withholdSums(parts, 1, limits),
    () => withholdCuts(parts, limits),
    () => withholdSums(parts, maxParts, limits),
  ];
  while (rules.some((rule) => rule()));
  if (limits.budget.steps >= 0) return;
  // Sums of groups of one attribute are as large as these groups are.
  for (const part of parts.released.values()) if (part.position > 0) parts.withhold(part);
  while (withholdSums(parts, 1, { min, budget: { steps: Number.POSITIVE_INFINITY } }));
}
