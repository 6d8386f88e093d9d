// The filters of pages, as what the database can select by.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { SurveyFilter } from "../../campaign/campaign-number.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { foldCase } from "../../campaign/fields/fold-case.ts";
import { searchWords } from "../../campaign/fields/search-words.ts";
import type { EmailSelection } from "../../storage/campaigns/emails.ts";
import { teamKeyOf } from "../../storage/campaigns/teams.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findValues } from "../../storage/sums/find-values.ts";
import type { SumsFilter } from "../../storage/sums/sums-filter.ts";

/** A campaign has to match all of them. */
export interface CampaignFilter extends EmailSelection {
  team?: string | undefined;
  sender?: string | undefined;
  sendingType?: string | undefined;
  /** One of its recipient groups. */
  group?: string | undefined;
  surveys?: SurveyFilter | undefined;
  /** Words that the subject contains, in any order and letter case. */
  subject?: string | undefined;
}

/**
 * Databases fold letters in other ways, and do not split lists: campaigns by subject or group are found by their ids, and those by
 * sender, too.
 */
export async function toSumsFilter(
  scope: Scope,
  { team, sender, group, subject = "", ...others }: CampaignFilter,
  traffic: TrafficFilter,
): Promise<SumsFilter> {
  let filter: SumsFilter = { ...others, traffic, teams: team === undefined ? undefined : [team] };
  if (sender !== undefined) {
    filter = { ...filter, ids: await matchingIds(scope, filter, "sender", (name) => name === sender) };
  }
  if (group !== undefined) {
    const wanted = teamKeyOf(group);
    const hasGroup = (recipients: string | null) => groupsOf(recipients).includes(wanted);
    filter = { ...filter, ids: await matchingIds(scope, filter, "recipients", hasGroup) };
  }
  const words = searchWords(subject);
  if (words.length > 0) {
    const hasWords = (text: string | null) => {
      const folded = foldCase(text ?? "");
      return words.every((word) => folded.includes(word));
    };
    filter = { ...filter, ids: await matchingIds(scope, filter, "subject", hasWords) };
  }
  return filter;
}

/** Folding a long subject takes a millisecond, so it yields to the event loop after this time. */
const maxTurnMs = 5;

async function matchingIds(
  scope: Scope,
  filter: SumsFilter,
  column: "subject" | "recipients" | "sender",
  matches: (text: string | null) => boolean,
): Promise<number[]> {
  const ids: number[] = [];
  let turnEndsAt = performance.now() + maxTurnMs;
  for (const { id, value } of await findValues<string | null>(scope, filter, column)) {
    if (matches(value)) ids.push(id);
    if (performance.now() < turnEndsAt) continue;
    await nextTurn();
    turnEndsAt = performance.now() + maxTurnMs;
  }
  return ids;
}

/** How much of a list of recipient groups counts. */
const maxGroupsLength = 2_000;

/** The names of the recipient groups in their list. A name with a comma cannot be told from two names. */
export function groupsOf(recipients: string | null): string[] {
  const names = (recipients ?? "").slice(0, maxGroupsLength).split(",");
  return [...new Set(names.map((name) => name.trim()))].filter((name) => name !== "").map(teamKeyOf);
}
