// Everything that the fictional company has sent. A campaign is the same in every run, whether the demo then
// imports its numbers or counts them from events.

import { dayMs, hourMs, quarterHourMs } from "../../campaign/calendar/durations.ts";
import written from "./company.json" with { type: "json" };
import type { Company } from "./company.ts";

/** A recurring campaign: who sends it, when, to whom, about what, and how it is received. */
interface RecurringCampaign {
  team: string;
  tag: { name: string; color: string };
  /** The part of the sender address before the @. */
  mailbox: string;
  everyWeeks: number;
  /** 1 is Monday. */
  weekday: number;
  /** Hours after the working day starts. */
  hour: number;
  /** The groups of the company that receive it, as arguments of `slice`. */
  audience: readonly [from: number, to?: number];
  sendingType: "Immediate" | "Scheduled" | "Timezone";
  /** The share of recipients who open it, and of those the share who click, in an average week. */
  appeal: number;
  clicks: number;
  /** The share of reads that is glanced, and the share that is glanced or skimmed. */
  reads: readonly [glanced: number, skimmed: number];
  survey?: { kind: "enps" | "pulse"; id: string; question: string; everyNth: number; share: number };
  /** The subjects, which the campaigns take in turn. */
  subjects: readonly string[];
  /** Paths on the company's website, the most interesting first. */
  links: readonly string[];
}

const series = written.series as unknown as readonly RecurringCampaign[];

export interface Sending {
  /** The number of the campaign in the order of sending days, from 1. */
  id: number;
  series: RecurringCampaign;
  subject: string;
  /** Milliseconds since 1970. */
  sentAt: number;
  groups: readonly string[];
  /** The number of the first recipient. The others are the people of the company after it. */
  firstPerson: number;
  recipientCount: number;
  trackingType: "Individual" | "Anonymous" | "Overall";
  sendingType: RecurringCampaign["sendingType"];
  isUrgent: boolean;
  survey: RecurringCampaign["survey"];
  /** The share of recipients who open it. */
  openShare: number;
  /** The share of those who read it on a phone. */
  mobileShare: number;
  /** The mean of its eNPS ratings. */
  mood: number;
  seed: number;
}

/** The campaigns sent before an instant, in milliseconds since 1970, oldest first. */
export function demoSendings(company: Company, until: number): Sending[] {
  const sendings: Sending[] = [];
  for (let day = company.firstDay; day < until; day += dayMs) {
    const week = Math.floor((day - company.firstDay) / dayMs / 7);
    for (const [index, each] of series.entries()) {
      const isDue =
        new Date(day).getUTCDay() === each.weekday && week % each.everyWeeks === index % each.everyWeeks;
      if (!isDue) continue;
      const sending = plan(company, each, { id: sendings.length + 1, day, week });
      if (sending.sentAt < until) sendings.push(sending);
    }
  }
  return sendings;
}

function plan(
  company: Company,
  each: RecurringCampaign,
  { id, day, week }: { id: number; day: number; week: number },
): Sending {
  const seed = company.seed * 10_007 + id;
  const random = randomNumbers(seed);
  const years = (day - company.firstDay) / (365 * dayMs);
  const groups = company.groups.slice(...each.audience);
  const turn = Math.floor(week / each.everyWeeks);
  const sendingType = random() < 0.85 ? each.sendingType : "Immediate";
  const name = random();
  // The specification has no Timezone sending with Overall tracking.
  const nameless = sendingType === "Timezone" || name < 0.9 ? "Anonymous" : "Overall";
  const topic = turn % each.subjects.length;
  return {
    id,
    series: each,
    subject: each.subjects[topic] ?? "",
    sentAt: day + (company.firstHour + each.hour) * hourMs + Math.floor(random() * 3) * quarterHourMs,
    groups: groups.map((group) => group.name),
    firstPerson: sizeOf(
      company.groups.slice(
        0,
        company.groups.findIndex((group) => groups.includes(group)),
      ),
    ),
    // The company grows.
    recipientCount: Math.round(sizeOf(groups) * (0.85 + 0.05 * years)),
    trackingType: name < 0.75 ? "Individual" : nameless,
    sendingType,
    isUrgent: each.sendingType === "Immediate" && random() < 0.4,
    survey: each.survey && turn % each.survey.everyNth === 0 ? each.survey : undefined,
    openShare: Math.min(
      each.appeal *
        seasonOf(new Date(day).getUTCMonth()) *
        appealOf(topic) *
        (0.97 + 0.02 * years) *
        (0.96 + random() * 0.08),
      0.95,
    ),
    mobileShare: 0.31 + 0.03 * years,
    mood: 7.3 + 0.22 * years + 0.4 * Math.sin(week / 9) + random() * 0.3,
    seed,
  };
}

function sizeOf(groups: Company["groups"]): number {
  return groups.reduce((sum, { size }) => sum + size, 0);
}

/** Fewer messages are opened in July and December. */
function seasonOf(month: number): number {
  return [1, 1.02, 1.03, 1, 0.97, 0.93, 0.72, 0.9, 1.04, 1.03, 1, 0.88][month] ?? 1;
}

/** Some subjects are always opened more than others. */
function appealOf(topic: number): number {
  return 0.86 + ((topic * 7 + 3) % 11) * 0.026;
}

/** Mulberry32: numbers from 0 to 1 that depend only on the seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
