// What the recipients of the demo's campaigns do.

import { dayMs, hourMs, minuteMs } from "../../campaign/calendar/durations.ts";
import { enpsKindOf } from "../../campaign/events/tally.ts";
import written from "./company.json" with { type: "json" };
import { randomNumbers, type Sending } from "./sendings.ts";

const { enpsComments, pulseComments } = written;
const pulseAnswers = Object.keys(pulseComments) as (keyof typeof pulseComments)[];

/** What a recipient did who opened a campaign. Times are in milliseconds after the sending. */
export interface Reading {
  /** The number of the recipient in the company. */
  person: number;
  isMobile: boolean;
  opens: number[];
  /** The read time; 0 if it was not measured. */
  seconds: number;
  clicks: { after: number; path: string }[];
  answer: DemoAnswer | undefined;
}

interface DemoAnswer {
  after: number;
  /** A score, or the chosen answer. */
  value: number | string;
  comment: string | undefined;
}

/** The readings of those who opened the campaign, the same in every run. */
export function readingsOf(sending: Sending): Reading[] {
  const random = randomNumbers(sending.seed ^ 0x5bd1e995);
  const readings: Reading[] = [];
  let comments = sending.id * 13;
  const nextComment: NextComment = (texts) => texts[comments++ % texts.length];
  for (const person of peopleOf(sending)) {
    if (random() < sending.openShare * interestOf(person)) {
      readings.push(reading(random, sending, person, nextComment));
    }
  }
  return readings;
}

/** The numbers of the recipients of a campaign. */
export function peopleOf({ firstPerson, recipientCount }: Sending): number[] {
  return Array.from({ length: recipientCount }, (_, position) => firstPerson + position);
}

/** Returns 0.7 to 1.3, because some people open more than others. */
const interestOf = (person: number): number => 0.7 + (rankOf(person) / 100) * 0.6;

/** A few people open no counted campaign. */
export const isNonReader = (person: number): boolean => person % 27 === 11;

const rankOf = (person: number): number => (person * 61) % 100;

/** Departments differ in how much they open. One is so small that its results are withheld; a few people have none. */
export function departmentOf(person: number): string {
  return written.departments.find(({ upTo }) => rankOf(person) < upTo)?.name ?? "";
}

/** Returns the next of these texts, so that few comments on a campaign are the same. */
type NextComment = (texts: readonly string[]) => string | undefined;

function reading(random: () => number, sending: Sending, person: number, nextComment: NextComment): Reading {
  const { series, survey } = sending;
  const first = firstOpen(random, sending.sentAt);
  const again = random() < 0.36 ? [first + Math.floor(random() * 6 * hourMs)] : [];
  const clicks = Array.from(
    { length: random() < series.clicks ? (random() < 0.25 ? 2 : 1) : 0 },
    (_, index) => ({
      after: first + (index + 1) * 2 * minuteMs,
      path: series.links[Math.floor(random() ** 2 * series.links.length)] ?? "/",
    }),
  );
  return {
    person,
    isMobile: (person * 37) % 100 < 100 * sending.mobileShare - 6 + random() * 12,
    opens: [first, ...again],
    seconds: readSeconds(random, series.reads),
    clicks,
    answer:
      survey && random() < survey.share
        ? { after: first + 5 * minuteMs, ...giveAnswer(random, sending, nextComment) }
        : undefined,
  };
}

/** Seven of ten open within hours; the others on one of the next days, in working hours or in the evening. */
function firstOpen(random: () => number, sentAt: number): number {
  if (random() < 0.7) return Math.floor(minuteMs + random() ** 3 * 10 * hourMs);
  const days = 1 + Math.floor(random() ** 2 * 4);
  const hour = random() < 0.8 ? 6 + random() * 10 : 17 + random() * 4;
  const at = Math.floor(sentAt / dayMs + days) * dayMs + Math.floor(hour * hourMs);
  const weekday = new Date(at).getUTCDay();
  const untilMonday = weekday === 6 ? 2 * dayMs : weekday === 0 ? dayMs : 0;
  return at - sentAt + (random() < 0.8 ? untilMonday : 0);
}

function readSeconds(random: () => number, [glanced, skimmed]: readonly [number, number]): number {
  if (random() < 0.35) return 0;
  const kind = random();
  if (kind < glanced) return 1 + Math.floor(random() * 3);
  return kind < skimmed ? 4 + Math.floor(random() * 6) : 10 + Math.floor(random() * 30);
}

function giveAnswer(random: () => number, { survey, mood }: Sending, nextComment: NextComment) {
  const commented = random() < 0.2;
  if (survey?.kind === "enps") {
    const felt = mood + (random() + random() + random() - 1.5) * 5;
    // Values above 10 come out lower, or too many people would give a 10.
    const score = Math.max(0, Math.round(felt > 10 ? 20 - felt : felt));
    return { value: score, comment: commented ? nextComment(enpsComments[enpsKindOf(score)]) : undefined };
  }
  const chosen = pulseAnswers[Math.floor(random() ** 2 * pulseAnswers.length)] ?? "Yes";
  return { value: chosen, comment: commented ? nextComment(pulseComments[chosen]) : undefined };
}
