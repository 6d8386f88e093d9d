// The tally of a campaign: its counts, from which all metrics follow. It is the sum of the contributions of all recipients,
// so `contribution` alone decides what counts.

import { classifyClicks, isHumanClick } from "./click-verdicts.ts";
import type { Recipient, SurveyAnswer } from "./recipient.ts";
import { isHuman, isIncluded, type TrafficFilter, type TrafficReason } from "./traffic.ts";

export interface Tally {
  /** Recipients with an open. A click, read or survey answer implies an open, because images may be blocked. */
  uniqueOpens: number;
  totalOpens: number;
  /** Opens with a known device. */
  desktopOpens: number;
  mobileOpens: number;
  uniqueClicks: number;
  totalClicks: number;
  /** Measured human reads by length. */
  glanced: number;
  skimmed: number;
  read: number;
  /** eNPS scores: at most one per recipient and survey, their sum, and how many have a comment. */
  enpsReactions: number;
  enpsScores: number;
  enpsComments: number;
  /** eNPS scores of 9 and 10, and of 0 to 6. */
  enpsPromoters: number;
  enpsDetractors: number;
  /** Answers to other surveys, and how many have a comment. */
  surveyReactions: number;
  surveyComments: number;
}

/** Both are stored, so that an organization can switch between them without a recount. */
export type Tallies = Record<TrafficFilter, Tally>;

export const emptyTally: Readonly<Tally> = {
  uniqueOpens: 0,
  totalOpens: 0,
  desktopOpens: 0,
  mobileOpens: 0,
  uniqueClicks: 0,
  totalClicks: 0,
  glanced: 0,
  skimmed: 0,
  read: 0,
  enpsReactions: 0,
  enpsScores: 0,
  enpsComments: 0,
  enpsPromoters: 0,
  enpsDetractors: 0,
  surveyReactions: 0,
  surveyComments: 0,
};

export const tallyNames = Object.keys(emptyTally) as (keyof Tally)[];

/** What one recipient adds to the tally of the campaign. */
export function contribution(recipient: Recipient, traffic: TrafficFilter): Tally {
  const tally = { ...emptyTally };
  let isOpened = false;
  for (const [name, count] of Object.entries(recipient.opens ?? {})) {
    const [reason, device] = name.split(" ") as [TrafficReason, string];
    if (!isIncluded(reason, traffic)) continue;
    tally.totalOpens += count;
    if (device === "desktop") tally.desktopOpens += count;
    if (device === "mobile") tally.mobileOpens += count;
  }
  for (const [name, count] of Object.entries(recipient.readings ?? {})) {
    const [reason, length] = name.split(" ") as [TrafficReason, string];
    if (!isIncluded(reason, traffic)) continue;
    isOpened = true;
    // Read time is human, even if all traffic counts.
    if (isHuman(reason) && (length === "glanced" || length === "skimmed" || length === "read")) {
      tally[length] += count;
    }
  }
  for (const [survey, answer] of Object.entries(recipient.surveys ?? {})) {
    isOpened = true;
    addAnswer(tally, survey, answer);
  }
  tally.totalClicks = countClicks(recipient, traffic);
  tally.uniqueClicks = Math.min(tally.totalClicks, 1);
  if (isOpened || tally.uniqueClicks > 0) tally.totalOpens = Math.max(tally.totalOpens, 1);
  tally.uniqueOpens = Math.min(tally.totalOpens, 1);
  return tally;
}

/**
 * Adds a tally to another one, or subtracts it. Every event takes this path several times, and a loop over the names takes
 * eight times as long.
 *
 * @param sign -1 subtracts
 */
export function addTally(to: Tally, tally: Tally, sign: 1 | -1 = 1): void {
  to.uniqueOpens += sign * tally.uniqueOpens;
  to.totalOpens += sign * tally.totalOpens;
  to.desktopOpens += sign * tally.desktopOpens;
  to.mobileOpens += sign * tally.mobileOpens;
  to.uniqueClicks += sign * tally.uniqueClicks;
  to.totalClicks += sign * tally.totalClicks;
  to.glanced += sign * tally.glanced;
  to.skimmed += sign * tally.skimmed;
  to.read += sign * tally.read;
  to.enpsReactions += sign * tally.enpsReactions;
  to.enpsScores += sign * tally.enpsScores;
  to.enpsComments += sign * tally.enpsComments;
  to.enpsPromoters += sign * tally.enpsPromoters;
  to.enpsDetractors += sign * tally.enpsDetractors;
  to.surveyReactions += sign * tally.surveyReactions;
  to.surveyComments += sign * tally.surveyComments;
}

/** Who gave an eNPS score: 9 and 10 are of promoters, 0 to 6 of detractors. */
export function enpsKindOf(score: number): "promoter" | "passive" | "detractor" {
  if (score >= 9) return "promoter";
  return score <= 6 ? "detractor" : "passive";
}

function addAnswer(tally: Tally, survey: string, { reaction, comment }: SurveyAnswer): void {
  if (!reaction) return;
  if (!survey.startsWith("enps ")) {
    tally.surveyReactions += 1;
    if (comment) tally.surveyComments += 1;
    return;
  }
  tally.enpsReactions += 1;
  const score = reaction[0] as number;
  tally.enpsScores += score;
  const kind = enpsKindOf(score);
  if (kind === "promoter") tally.enpsPromoters += 1;
  if (kind === "detractor") tally.enpsDetractors += 1;
  if (comment) tally.enpsComments += 1;
}

/** If all traffic counts, this includes clicks beyond the stored ones. */
function countClicks(recipient: Recipient, traffic: TrafficFilter): number {
  const { clicks = [], moreClicks = {} } = recipient;
  if (traffic === "all") {
    return Object.values(moreClicks).reduce((sum, count) => sum + count, clicks.length);
  }
  return clicks.length === 0 ? 0 : classifyClicks(recipient).filter(isHumanClick).length;
}
