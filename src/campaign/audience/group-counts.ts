// What a campaign counts for a group: recipients with the same value of an attribute, such as a department.

import type { Recipient } from "../events/recipient.ts";
import type { Contribution, Counts } from "../events/tally.ts";
import type { TrafficFilter } from "../events/traffic.ts";
import { snakeCase } from "../sums.ts";

/** Limits on what an organization can break its numbers down by. */
export const audienceLimits = {
  attributes: 8,
  /** The most values of one attribute. */
  values: 300,
  valueLength: 200,
} as const;

/**
 * Every count of a group, and which number of each recipient it adds up; its column has its name in snake case. Reads and answers are human, so that
 * they do not depend on the traffic.
 */
const groupCounts = {
  /** The recipients of the list; without a list, those with an event. */
  recipients: undefined,
  peopleOpens: ["people", "uniqueOpens"],
  allOpens: ["all", "uniqueOpens"],
  peopleClicks: ["people", "uniqueClicks"],
  allClicks: ["all", "uniqueClicks"],
  glanced: ["people", "glanced"],
  skimmed: ["people", "skimmed"],
  read: ["people", "read"],
  enpsReactions: ["people", "enpsReactions"],
  enpsScores: ["people", "enpsScores"],
  enpsPromoters: ["people", "enpsPromoters"],
  enpsDetractors: ["people", "enpsDetractors"],
  surveyReactions: ["people", "surveyReactions"],
} as const satisfies Record<string, readonly [TrafficFilter, keyof Counts] | undefined>;

type GroupCountName = keyof typeof groupCounts;

export type GroupCounts = Record<GroupCountName, number>;

export const groupCountNames = Object.keys(groupCounts) as GroupCountName[];
export const groupCountColumns = groupCountNames.map((name) => snakeCase(name));

const empty = Object.fromEntries(groupCountNames.map((name) => [name, 0])) as GroupCounts;

export function emptyGroupCounts(): GroupCounts {
  return { ...empty };
}

const summed = Object.entries(groupCounts).flatMap(([name, sums]) =>
  sums ? [{ name: name as GroupCountName, traffic: sums[0], count: sums[1] }] : [],
);

type CountedGroup = GroupCounts & { attributeId: number };

/** What a campaign counts by group, by the id of the group. */
export type CountedGroups = Map<number, CountedGroup>;

/** Takes away what others count. Counts may become negative: they are changes then. */
export function subtractGroups(from: CountedGroups, others: CountedGroups): void {
  for (const [groupId, other] of others) {
    const group = from.get(groupId) ?? { attributeId: other.attributeId, ...empty };
    from.set(groupId, group);
    for (const name of groupCountNames) group[name] -= other[name];
  }
}

interface RecipientChange {
  /** Whether it is counted for the first time. */
  isNew: boolean;
  /** What it contributed until now; undefined for nothing. */
  before?: Record<TrafficFilter, Contribution> | undefined;
  after: Record<TrafficFilter, Contribution>;
}

/** Counts in the groups of a recipient what it adds. Most events add nothing: it opens again. */
export function countInGroups(
  to: CountedGroups,
  { groups }: Recipient,
  { isNew, before, after }: RecipientChange,
): void {
  if (!groups) return;
  const changes: [GroupCountName, number][] = isNew ? [["recipients", 1]] : [];
  for (const { name, traffic, count } of summed) {
    const change = after[traffic][count] - (before?.[traffic][count] ?? 0);
    if (change !== 0) changes.push([name, change]);
  }
  if (changes.length === 0) return;
  for (const [attributeId, groupId] of Object.entries(groups)) {
    const group = to.get(groupId) ?? { attributeId: Number(attributeId), ...empty };
    to.set(groupId, group);
    for (const [name, change] of changes) group[name] += change;
  }
}
