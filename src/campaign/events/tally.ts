// The tally of a campaign: its counts, from which all metrics follow. It is the sum of the contributions of all recipients,
// so `contribution` alone decides what counts.

import { countUpTo, spanCount, spanOf } from "./ages.ts";
import { type ClickVerdict, classifyClicks, isHumanClick } from "./click-verdicts.ts";
import { opensBesideScanner } from "./open-verdicts.ts";
import { countedOutcomes, type MessageOutcome, type OutcomeCounts, outcomeNames } from "./outcomes.ts";
import { withoutAnswers, withoutHiddenLink } from "./proofs.ts";
import { isMember, type Open, type Recipient, type SurveyAnswer } from "./recipient.ts";
import { isHuman, isIncluded, isPrefetch, type TrafficFilter, type TrafficReason } from "./traffic.ts";

/** The counts of a tally that do not depend on age. */
export interface Counts {
  /** Recipients with an open. A click, read or survey answer implies an open, because images may be blocked. */
  uniqueOpens: number;
  /** Recipients of whom only a prefetch is known: a person may have opened the message, or not. 0 if all traffic counts. */
  unknownOpens: number;
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
  /**
   * Recipients with survey answers whose opens or clicks are known, and those of them that are no openers without the
   * answers. Unknown ones are left out. 0 if all traffic counts, as the next two.
   */
  provenPeople: number;
  peopleCalledMachines: number;
  /** Recipients with clicks on the hidden link and others, and those of them without a human click if the link is ignored. */
  provenMachines: number;
  machinesCaught: number;
}

/** The counts that measure the errors of the filter. */
export const proofNames = [
  "provenPeople",
  "peopleCalledMachines",
  "provenMachines",
  "machinesCaught",
] as const satisfies (keyof Counts)[];
export type ProofName = (typeof proofNames)[number];

export function proofsOf(tally: Counts): Record<ProofName, number> {
  return Object.fromEntries(proofNames.map((name) => [name, tally[name]])) as Record<ProofName, number>;
}

export interface Tally extends Counts {
  /** Recipients by the {@link spanOf span} of their first open, and of their first click: how old the campaign was then. */
  opensByAge: number[];
  clicksByAge: number[];
  outcomes: OutcomeCounts;
}

/** Both are stored, so that an organization can switch between them without a recount. */
export type Tallies = Record<TrafficFilter, Tally>;

const emptyCounts: Readonly<Counts> = {
  uniqueOpens: 0,
  unknownOpens: 0,
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
  provenPeople: 0,
  peopleCalledMachines: 0,
  provenMachines: 0,
  machinesCaught: 0,
};

export const tallyNames = Object.keys(emptyCounts) as (keyof Counts)[];

/** @param known a tally whose outcomes are known */
export function emptyTally(known?: Pick<Tally, "outcomes">): Tally {
  const outcomes: OutcomeCounts = {};
  for (const name in known?.outcomes) outcomes[name as MessageOutcome] = 0;
  return { ...emptyCounts, opensByAge: noSpans(), clicksByAge: noSpans(), outcomes };
}

const noSpans = () => Array.from({ length: spanCount }, () => 0);

/** A tally with the recipients who had opened and clicked up to an age; its other numbers are those of today. */
export function tallyAt(tally: Tally, age: number): Counts {
  return {
    ...tally,
    uniqueOpens: countUpTo(tally.opensByAge, age),
    uniqueClicks: countUpTo(tally.clicksByAge, age),
  };
}

/** Every number of a tally with its name; those by age are `opensByAge 0`, `opensByAge 1` and so on. */
export function numbersOf({
  opensByAge,
  clicksByAge,
  outcomes,
  ...counts
}: Tally): [name: string, number: number][] {
  const ofSpans = (name: string, spans: readonly number[]) =>
    spans.map((count, span): [string, number] => [`${name} ${span}`, count]);
  return [
    ...Object.entries(counts),
    ...ofSpans("opensByAge", opensByAge),
    ...ofSpans("clicksByAge", clicksByAge),
    ...outcomeNames.map((name): [string, number] => [name, outcomes[name] ?? 0]),
  ];
}

/** What one recipient adds to the tally of the campaign. */
export interface Contribution extends Counts {
  /** When the recipient first opened, and first clicked; undefined if it did not. */
  openedAt: number | undefined;
  clickedAt: number | undefined;
  /** {@link opensBesideScanner}; none if all traffic counts. */
  scannerOpens: readonly Open[];
  outcomes: readonly MessageOutcome[];
}

const emptyContribution: Readonly<Contribution> = {
  ...emptyCounts,
  openedAt: undefined,
  clickedAt: undefined,
  scannerOpens: [],
  outcomes: [],
};

/** -1: no {@link isMember}. 0: no open. 1: one of automated activity only. 2: one of a person. */
export type Opened = -1 | 0 | 1 | 2;

export function openedOf(recipient: Recipient, { people, all }: Record<TrafficFilter, Contribution>): Opened {
  if (people.uniqueOpens > 0) return 2;
  if (all.uniqueOpens > 0) return 1;
  return isMember(recipient) ? 0 : -1;
}

export function contributions(recipient: Recipient): Record<TrafficFilter, Contribution> {
  return { people: contribution(recipient, "people"), all: contribution(recipient, "all") };
}

export function contribution(recipient: Recipient, traffic: TrafficFilter): Contribution {
  const tally: Contribution = { ...emptyContribution };
  if (recipient.outcomes) tally.outcomes = countedOutcomes(recipient.outcomes);
  const verdicts = traffic === "people" ? classifyClicks(recipient) : undefined;
  addClicks(tally, recipient, verdicts);
  let isOpened = tally.uniqueClicks > 0 || recipient.held !== undefined;
  if (verdicts !== undefined) tally.scannerOpens = opensBesideScanner(recipient, verdicts);
  const { scannerOpens } = tally;
  const all = recipient.opens ?? [];
  const opens = scannerOpens.length === 0 ? all : all.filter((open) => !scannerOpens.includes(open));
  for (const [, name] of opens) addOpens(tally, name, 1);
  for (const [name, count] of entriesOf(recipient.moreOpens)) {
    const [reason] = name.split(" ") as [TrafficReason];
    if (isIncluded(reason, traffic)) addOpens(tally, name, count);
  }
  for (const [name, count] of entriesOf(recipient.readings)) {
    const [reason, length] = name.split(" ") as [TrafficReason, string];
    if (!isIncluded(reason, traffic)) continue;
    isOpened = true;
    // Read time is human, even if all traffic counts.
    if (isHuman(reason) && (length === "glanced" || length === "skimmed" || length === "read")) {
      tally[length] += count;
    }
  }
  for (const [survey, answer] of entriesOf(recipient.surveys)) {
    isOpened = true;
    addAnswer(tally, survey, answer);
  }
  if (isOpened) tally.totalOpens = Math.max(tally.totalOpens, 1);
  tally.uniqueOpens = Math.min(tally.totalOpens, 1);
  if (traffic === "people" && !isOpened && hasOnlyPrefetches(recipient, tally)) tally.unknownOpens = 1;
  if (traffic === "people") addProofs(tally, recipient);
  tally.openedAt = earliest([
    opens[0]?.[0],
    recipient.firstReadAt,
    tally.clickedAt,
    traffic === "all" ? recipient.firstAutomatedAt : undefined,
  ]);
  return tally;
}

/** Counts the same recipient again without what proves its nature. */
function addProofs(tally: Counts, recipient: Recipient): void {
  const unanswered = withoutAnswers(recipient);
  if (unanswered) {
    const { uniqueOpens, unknownOpens } = contribution(unanswered, "people");
    tally.provenPeople = 1 - unknownOpens;
    tally.peopleCalledMachines = 1 - unknownOpens - uniqueOpens;
  }
  const unproven = withoutHiddenLink(recipient);
  if (unproven) {
    tally.provenMachines = 1;
    tally.machinesCaught = 1 - contribution(unproven, "people").uniqueClicks;
  }
}

/** Most recipients lack most properties, and every event takes this path several times. */
function entriesOf<Value>(object: { [name: string]: Value } | undefined): [name: string, value: Value][] {
  return object === undefined ? [] : Object.entries(object);
}

/** A scanner's click would explain the prefetch. */
function hasOnlyPrefetches({ moreOpens, clicks }: Recipient, { totalOpens }: Counts): boolean {
  if (totalOpens > 0 || clicks !== undefined || moreOpens === undefined) return false;
  return Object.keys(moreOpens).some((name) => isPrefetch(name.split(" ")[0] as TrafficReason));
}

/** @param name a reason and a device */
function addOpens(tally: Counts, name: string, count: number): void {
  tally.totalOpens += count;
  if (name.endsWith(" desktop")) tally.desktopOpens += count;
  if (name.endsWith(" mobile")) tally.mobileOpens += count;
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/**
 * Adds what a recipient contributes to a tally, or subtracts it. Every event takes this path several times, and a loop over
 * the names takes eight times as long.
 *
 * @param sentAt of the campaign
 * @param sign -1 subtracts
 */
export function addContribution(to: Tally, tally: Contribution, sentAt: number, sign: 1 | -1 = 1): void {
  addToSpan(to.opensByAge, tally.openedAt, sentAt, sign);
  addToSpan(to.clicksByAge, tally.clickedAt, sentAt, sign);
  for (const name of tally.outcomes) to.outcomes[name] = (to.outcomes[name] ?? 0) + sign;
  to.uniqueOpens += sign * tally.uniqueOpens;
  to.unknownOpens += sign * tally.unknownOpens;
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
  to.provenPeople += sign * tally.provenPeople;
  to.peopleCalledMachines += sign * tally.peopleCalledMachines;
  to.provenMachines += sign * tally.provenMachines;
  to.machinesCaught += sign * tally.machinesCaught;
}

/** Who gave an eNPS score: 9 and 10 are of promoters, 0 to 6 of detractors. */
export function enpsKindOf(score: number): "promoter" | "passive" | "detractor" {
  if (score >= 9) return "promoter";
  return score <= 6 ? "detractor" : "passive";
}

function addAnswer(tally: Counts, survey: string, { reaction, comment }: SurveyAnswer): void {
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

/** @param verdicts undefined if all traffic counts, which includes clicks beyond the stored ones */
function addClicks(tally: Contribution, recipient: Recipient, verdicts: ClickVerdict[] | undefined): void {
  const { clicks = [], moreClicks = {} } = recipient;
  if (clicks.length === 0) return;
  if (verdicts === undefined) {
    tally.totalClicks = Object.values(moreClicks).reduce((sum, count) => sum + count, clicks.length);
    tally.clickedAt = clicks[0]?.[0];
  } else {
    tally.totalClicks = verdicts.filter(isHumanClick).length;
    tally.clickedAt = clicks[verdicts.findIndex(isHumanClick)]?.[0];
  }
  tally.uniqueClicks = Math.min(tally.totalClicks, 1);
}

function addToSpan(spans: number[], at: number | undefined, sentAt: number, sign: 1 | -1): void {
  if (at === undefined) return;
  const span = spanOf(at - sentAt);
  spans[span] = (spans[span] ?? 0) + sign;
}
