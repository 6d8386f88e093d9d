// The whole numbers of a campaign. They are the sum of what each recipient contributes, so what counts, what a click
// implies and what a burst of clicks means is decided in one place: contribution().

import type { Click, Recipient, SurveyAnswer } from "./recipient.ts";
import { type CountedTraffic, isCounted, isPerson, type TrafficReason } from "./traffic.ts";

export interface Tally {
  /** Recipients with an open. A click, a reading and a survey answer imply one: images may be blocked. */
  uniqueOpens: number;
  totalOpens: number;
  /** Opens whose device is known. */
  desktopOpens: number;
  mobileOpens: number;
  uniqueClicks: number;
  totalClicks: number;
  /** Measured readings by their length. */
  glanced: number;
  skimmed: number;
  read: number;
  /** eNPS ratings, one for each recipient and survey; their sum; those with words. */
  enpsReactions: number;
  enpsScores: number;
  enpsComments: number;
  /** The same of the other surveys. */
  surveyReactions: number;
  surveyComments: number;
}

/** Both are kept, so that an organization can turn round what it counts at any time, at once. */
export type Tallies = Record<CountedTraffic, Tally>;

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
  surveyReactions: 0,
  surveyComments: 0,
};

export const tallyNames = Object.keys(emptyTally) as (keyof Tally)[];

/** What one recipient adds to the numbers of the campaign. */
export function contribution(recipient: Recipient, counted: CountedTraffic): Tally {
  const tally = { ...emptyTally };
  let isOpened = false;
  for (const [name, count] of Object.entries(recipient.opens ?? {})) {
    const [reason, device] = name.split(" ") as [TrafficReason, string];
    if (!isCounted(reason, counted)) continue;
    tally.totalOpens += count;
    if (device === "desktop") tally.desktopOpens += count;
    if (device === "mobile") tally.mobileOpens += count;
  }
  for (const [name, count] of Object.entries(recipient.readings ?? {})) {
    const [reason, length] = name.split(" ") as [TrafficReason, string];
    if (!isCounted(reason, counted)) continue;
    isOpened = true;
    // Only persons read, whatever else is counted.
    if (isPerson(reason) && (length === "glanced" || length === "skimmed" || length === "read")) {
      tally[length] += count;
    }
  }
  for (const [survey, answer] of Object.entries(recipient.surveys ?? {})) {
    isOpened = true;
    addAnswer(tally, survey, answer);
  }
  tally.totalClicks = countClicks(recipient, counted);
  tally.uniqueClicks = Math.min(tally.totalClicks, 1);
  if (isOpened || tally.uniqueClicks > 0) tally.totalOpens = Math.max(tally.totalOpens, 1);
  tally.uniqueOpens = Math.min(tally.totalOpens, 1);
  return tally;
}

export function add(to: Tally, tally: Tally): void {
  for (const name of tallyNames) to[name] += tally[name];
}

export function subtract(from: Tally, tally: Tally): void {
  for (const name of tallyNames) from[name] -= tally[name];
}

function addAnswer(tally: Tally, survey: string, { reaction, comment }: SurveyAnswer): void {
  if (!reaction) return;
  if (!survey.startsWith("enps ")) {
    tally.surveyReactions += 1;
    if (comment) tally.surveyComments += 1;
    return;
  }
  tally.enpsReactions += 1;
  tally.enpsScores += reaction[0] as number;
  if (comment) tally.enpsComments += 1;
}

/** So many different links within so many milliseconds are not followed by a person. */
export const burst = { links: 3, ms: 10_000 } as const;

/**
 * Where only people count: none of a recipient that also followed the hidden link, none of a burst, and none beyond
 * those that are kept with their time and link.
 */
function countClicks({ clicks = [], moreClicks = {} }: Recipient, counted: CountedTraffic): number {
  if (counted === "all") {
    return Object.values(moreClicks).reduce((sum, count) => sum + count, clicks.length);
  }
  if (clicks.length === 0) return 0;
  if (clicks.some(([, , reason]) => reason === "hidden_link") || moreClicks.hidden_link) return 0;
  const inBurst = findBursts(clicks);
  return clicks.filter(([, , reason], index) => isPerson(reason) && !inBurst.has(index)).length;
}

/** The places of all clicks that lie in any span of time with too many different links. */
function findBursts(clicks: readonly Click[]): Set<number> {
  const found = new Set<number>();
  /** How often each link was followed between the two ends of the span. */
  const links = new Map<number, number>();
  let first = 0;
  let marked = 0;
  for (const [last, [at, link]] of clicks.entries()) {
    links.set(link, (links.get(link) ?? 0) + 1);
    for (; at - (clicks[first]?.[0] ?? at) > burst.ms; first++) {
      const left = clicks[first]?.[1] ?? 0;
      const count = (links.get(left) ?? 0) - 1;
      if (count > 0) links.set(left, count);
      else links.delete(left);
    }
    if (links.size < burst.links) continue;
    for (let place = Math.max(first, marked); place <= last; place++) found.add(place);
    marked = last + 1;
  }
  return found;
}
