// What one recipient of one campaign has done so far. Keeping one more event only adds, takes the earlier or takes the
// later, so that neither the order of events nor how they come in batches can change anything. (Only an event that is
// ahead of time gets the time of its arrival, which is another one in another batch.)

import type { SurveyKind } from "./event.ts";
import type { Device, TrafficReason } from "./traffic.ts";

/** What is kept of an event: the verdict in place of the evidence, and hashes in place of its id and its link. */
export type RecipientEvent = {
  /** Instant in whole milliseconds since 1970. */
  at: number;
  /** The time that the sender gave was in the future, and was taken as the time of arrival. */
  isAhead: boolean;
} & (
  | { type: "open"; reason: TrafficReason; device: Device | null }
  | { type: "click"; reason: TrafficReason; link: number }
  | { type: "read"; reason: TrafficReason; seconds: number }
  | {
      type: "survey";
      /** Decides between two answers of the same time. */
      id: string;
      surveyId: string;
      kind: SurveyKind;
      reaction?: number | string | undefined;
      comment?: string | undefined;
    }
);

/** When, which link, and who was at work. */
export type Click = [at: number, link: number, reason: TrafficReason];

/** The latest of something, by time and then by the event's id. */
type Latest<Value> = [value: Value, at: number, id: string];

export interface SurveyAnswer {
  reaction?: Latest<number | string>;
  comment?: Latest<string>;
}

/** How long readings took: `unmeasured` when no time was given. */
type ReadingLength = "unmeasured" | "glanced" | "skimmed" | "read";

/** Whatever is missing has not happened. Kept as JSON, so that it can be read without this program. */
export interface Recipient {
  /** How many, by traffic reason and device (`person desktop`, `google_proxy unknown`). */
  opens?: Partial<Record<`${TrafficReason} ${Device | "unknown"}`, number>>;
  /** The earliest ones, up to {@link clicksKept}, in the order of {@link compareClicks}. */
  clicks?: Click[];
  /** How many more, by traffic reason. */
  moreClicks?: Partial<Record<TrafficReason, number>>;
  /** How many, by traffic reason and length (`person glanced`). */
  readings?: Partial<Record<`${TrafficReason} ${ReadingLength}`, number>>;
  /** By kind and id of the survey (`enps s-1`). */
  surveys?: Record<string, SurveyAnswer>;
  /** How many events had a time in the future. */
  ahead?: number;
}

/** Clicks of one recipient that are kept with time and link. No person comes near it. */
export const clicksKept = 1_000;

/** Surveys of one recipient that are kept, the first by name: no campaign comes near it. */
export const surveysKept = 100;

/** The limits between glanced, skimmed and read, in seconds: up to the first, up to the second, above. */
export const readingLimits = { glanced: 3, skimmed: 9 } as const;

/** Adds an event to what a recipient has done. */
export function record(recipient: Recipient, event: RecipientEvent): void {
  if (event.isAhead) recipient.ahead = (recipient.ahead ?? 0) + 1;
  if (event.type === "open") {
    recipient.opens ??= {};
    addOne(recipient.opens, `${event.reason} ${event.device ?? "unknown"}`);
  } else if (event.type === "read") {
    recipient.readings ??= {};
    addOne(recipient.readings, `${event.reason} ${lengthOf(event.seconds)}`);
  } else if (event.type === "click") {
    recordClick(recipient, [event.at, event.link, event.reason]);
  } else {
    recipient.surveys ??= {};
    const { id, at, reaction, comment } = event;
    const survey = `${event.kind} ${event.surveyId}`;
    const answer = recipient.surveys[survey] ?? {};
    if (reaction !== undefined) answer.reaction = later(answer.reaction, [reaction, at, id]);
    if (comment !== undefined) answer.comment = later(answer.comment, [comment, at, id]);
    recipient.surveys[survey] = answer;
    const surveys = Object.keys(recipient.surveys);
    if (surveys.length > surveysKept) delete recipient.surveys[surveys.sort().at(-1) ?? ""];
  }
}

/** Takes away what a person wrote or chose, and leaves that it was said, so that no number changes. */
export function eraseAnswers(recipient: Recipient): void {
  for (const { reaction, comment } of Object.values(recipient.surveys ?? {})) {
    if (reaction && typeof reaction[0] === "string") reaction[0] = "";
    if (comment) comment[0] = "";
  }
}

/** By time, then link, then reason: a total order, so that those beyond the bound are always the same ones. */
function compareClicks(a: Click, b: Click): number {
  return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0);
}

function recordClick(recipient: Recipient, click: Click): void {
  recipient.clicks ??= [];
  const { clicks } = recipient;
  let place = clicks.length;
  while (place > 0 && compareClicks(clicks[place - 1] as Click, click) > 0) place -= 1;
  clicks.splice(place, 0, click);
  if (clicks.length <= clicksKept) return;
  const [, , reason] = clicks.pop() as Click;
  recipient.moreClicks ??= {};
  addOne(recipient.moreClicks, reason);
}

function lengthOf(seconds: number): ReadingLength {
  if (seconds === 0) return "unmeasured";
  if (seconds <= readingLimits.glanced) return "glanced";
  return seconds <= readingLimits.skimmed ? "skimmed" : "read";
}

function later<Value>(known: Latest<Value> | undefined, given: Latest<Value>): Latest<Value> {
  if (!known || given[1] > known[1]) return given;
  return given[1] === known[1] && given[2] > known[2] ? given : known;
}

function addOne<Name extends string>(counts: Partial<Record<Name, number>>, name: Name): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
