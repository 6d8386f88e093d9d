// What a campaign counts for a group: recipients with the same value of an attribute, such as a department.

import type { GroupsByAttribute, Recipient } from "../events/recipient.ts";
import type { Contribution } from "../events/tally.ts";
import type { TrafficFilter } from "../events/traffic.ts";

/** Limits on what an organization can break its numbers down by. */
export const audienceLimits = {
  attributes: 8,
  /** Of one attribute. */
  values: 300,
  valueLength: 200,
} as const;

/** Reads and answers are human, so that they do not depend on the traffic. */
export interface GroupCounts {
  /** Those of the list; without a list, those with an event. */
  recipients: number;
  peopleOpens: number;
  allOpens: number;
  peopleClicks: number;
  allClicks: number;
  glanced: number;
  skimmed: number;
  read: number;
  enpsReactions: number;
  enpsScores: number;
  enpsPromoters: number;
  enpsDetractors: number;
  surveyReactions: number;
}

const empty: Readonly<GroupCounts> = {
  recipients: 0,
  peopleOpens: 0,
  allOpens: 0,
  peopleClicks: 0,
  allClicks: 0,
  glanced: 0,
  skimmed: 0,
  read: 0,
  enpsReactions: 0,
  enpsScores: 0,
  enpsPromoters: 0,
  enpsDetractors: 0,
  surveyReactions: 0,
};

export const groupCountNames = Object.keys(empty) as (keyof GroupCounts)[];

export function emptyGroupCounts(): GroupCounts {
  return { ...empty };
}

/** Adds what a recipient of the group contributes, or subtracts it. Does not count the recipient itself. */
export function addToGroup(
  to: GroupCounts,
  { people, all }: Record<TrafficFilter, Contribution>,
  sign: 1 | -1 = 1,
): void {
  to.peopleOpens += sign * people.uniqueOpens;
  to.allOpens += sign * all.uniqueOpens;
  to.peopleClicks += sign * people.uniqueClicks;
  to.allClicks += sign * all.uniqueClicks;
  to.glanced += sign * people.glanced;
  to.skimmed += sign * people.skimmed;
  to.read += sign * people.read;
  to.enpsReactions += sign * people.enpsReactions;
  to.enpsScores += sign * people.enpsScores;
  to.enpsPromoters += sign * people.enpsPromoters;
  to.enpsDetractors += sign * people.enpsDetractors;
  to.surveyReactions += sign * people.surveyReactions;
}

type CountedGroup = GroupCounts & { attributeId: number };

export type SharedCounts = Pick<GroupCounts, "recipients" | "enpsReactions">;

/** What a campaign counts by group. */
export interface CountedGroups {
  /** By the id of the group. */
  groups: Map<number, CountedGroup>;
  /** What two groups share, by both ids: `3 17`. */
  overlaps: Map<string, SharedCounts>;
}

export const noGroups = (): CountedGroups => ({ groups: new Map(), overlaps: new Map() });

/** Counts a recipient in its groups, with what it contributes. */
export function countInGroups(
  to: CountedGroups,
  { groups = {} }: Recipient,
  contributed: Record<TrafficFilter, Contribution>,
): void {
  for (const [attributeId, groupId] of Object.entries(groups)) {
    const group = to.groups.get(groupId) ?? { attributeId: Number(attributeId), ...emptyGroupCounts() };
    to.groups.set(groupId, group);
    group.recipients += 1;
    addToGroup(group, contributed);
  }
  addToPairs(to.overlaps, groups, { recipients: 1, enpsReactions: contributed.people.enpsReactions });
}

/** Adds to what every two groups of a recipient share. */
export function addToPairs(
  overlaps: Map<string, SharedCounts>,
  groups: GroupsByAttribute,
  { recipients, enpsReactions }: SharedCounts,
): void {
  for (const pair of pairsOf(groups)) {
    const counts = overlaps.get(pair) ?? { recipients: 0, enpsReactions: 0 };
    overlaps.set(pair, counts);
    counts.recipients += recipients;
    counts.enpsReactions += enpsReactions;
  }
}

function pairsOf(groups: GroupsByAttribute): string[] {
  const ids = Object.values(groups).sort((a, b) => a - b);
  return ids.flatMap((id, index) => ids.slice(index + 1).map((other) => `${id} ${other}`));
}
