// The state of one recipient in one campaign. Applying an event only counts, or takes a minimum or a maximum, so neither
// the order nor the batching of events changes the result. (Exception: an event with a time in the future gets the time of
// its arrival, which depends on its batch.)

import type { SurveyKind } from "./event.ts";
import type { MessageOutcome, OutcomeTimes } from "./outcomes.ts";
import { type Device, isHuman, type TrafficReason } from "./traffic.ts";

/** An event reduced to the data that is stored: a reason instead of evidence, hashes instead of id and URL. */
export type RecipientEvent = {
  /** Instant in whole milliseconds since 1970. */
  at: number;
  /** The time of the event was in the future and was replaced by the time of arrival. */
  isAhead: boolean;
} & (
  | { type: "open"; reason: TrafficReason; device: Device | null }
  | { type: "click"; reason: TrafficReason; link: number }
  | { type: "read"; reason: TrafficReason; seconds: number }
  | {
      type: "survey";
      /** The event id, encrypted. */
      id: string;
      /** Whether its event id is greater than that of a stored answer, which is encrypted. It decides between equal times. */
      isAfter: (id: string) => boolean;
      surveyId: string;
      kind: SurveyKind;
      reaction?: number | string | undefined;
      comment?: string | undefined;
      /** The sender of the event. */
      by?: number | undefined;
      /** Whether the answer waits for others before it counts. */
      isHeld?: boolean;
    }
  | { type: "outcome"; outcome: MessageOutcome }
);

export type Click = [at: number, link: number, reason: TrafficReason];

/** A traffic reason and a device: `person desktop`, `google_proxy unknown`. */
type OpenName = `${TrafficReason} ${Device | "unknown"}`;

export type Open = [at: number, name: OpenName];

/** The latest value, by time, then event id. The id is encrypted. */
type Latest<Value> = [value: Value, at: number, id: string];

export interface SurveyAnswer {
  reaction?: Latest<number | string>;
  comment?: Latest<string>;
  /** The first sender of the answer, who alone may change it. Missing if a command sent it. */
  by?: number;
}

/** How long a read took; `unmeasured` if the sender did not measure it. */
type ReadLength = "unmeasured" | "glanced" | "skimmed" | "read";

/** The ids of groups by those of their attributes: `{"1": 5}`. */
export type GroupsByAttribute = Readonly<Record<number, number>>;

/** Stored as JSON. A missing property means that it has not happened. */
export interface Recipient {
  /** The first {@link opensKept} opens by people, in the order of {@link compareOpens}. */
  opens?: Open[];
  /** Counts of all other opens. */
  moreOpens?: Partial<Record<OpenName, number>>;
  /** When a person first read or answered. */
  firstReadAt?: number;
  /** The time of the first automated open or read. */
  firstAutomatedAt?: number;
  /** The first {@link clicksKept}, in the order of {@link compareClicks}. */
  clicks?: Click[];
  /** Counts of further clicks by traffic reason. */
  moreClicks?: Partial<Record<TrafficReason, number>>;
  /** Counts by traffic reason and length: `person glanced`. */
  readings?: Partial<Record<`${TrafficReason} ${ReadLength}`, number>>;
  /** The answers by kind and id of the survey: `enps s-1`. */
  surveys?: Record<string, SurveyAnswer>;
  /** Answers that wait for others before they count. They imply an open already. */
  held?: Record<string, SurveyAnswer>;
  /** What became of its message. */
  outcomes?: OutcomeTimes;
  /** Events with a time in the future. */
  ahead?: number;
  /** The group of each attribute of the campaign, as it was when the recipient was listed, or at its first event. */
  groups?: GroupsByAttribute;
  /** 1 if the recipient is on the list of the campaign. */
  listed?: 1;
}

/** Whether a recipient has done anything, or is only listed, or only known from the outcome of its message. */
export function hasEvents(recipient: Recipient): boolean {
  return Object.keys(recipient).some((name) => name !== "groups" && name !== "listed" && name !== "outcomes");
}

/** Whether a recipient may be listed and grouped. Otherwise only the outcome of its message is known. */
export function isMember(recipient: Recipient): boolean {
  return recipient.listed !== undefined || hasEvents(recipient);
}

/** Opens per recipient that are stored with their times. */
export const opensKept = 20;

/** Clicks per recipient that are stored with time and link; people make far fewer. */
export const clicksKept = 1_000;

/** Surveys per recipient that are stored, first by name; campaigns have far fewer. */
export const surveysKept = 100;

/** A read of up to the first number of seconds is glanced, up to the second skimmed, above that read. */
export const readTimeLimits = { glanced: 3, skimmed: 9 } as const;

/** Adds an event to the state of its recipient. */
export function applyEvent(recipient: Recipient, event: RecipientEvent): void {
  if (event.type === "outcome") {
    recipient.outcomes ??= {};
    const { [event.outcome]: latest = event.at } = recipient.outcomes;
    recipient.outcomes[event.outcome] = Math.max(latest, event.at);
    return;
  }
  if (event.isAhead) recipient.ahead = (recipient.ahead ?? 0) + 1;
  if (event.type === "open") {
    addOpen(recipient, event);
  } else if (event.type === "read") {
    recipient.readings ??= {};
    addOne(recipient.readings, `${event.reason} ${lengthOf(event.seconds)}`);
    takeEarlier(recipient, isHuman(event.reason) ? "firstReadAt" : "firstAutomatedAt", event.at);
  } else if (event.type === "click") {
    addClick(recipient, [event.at, event.link, event.reason]);
  } else {
    addAnswer(recipient, event);
  }
}

function addAnswer(recipient: Recipient, event: Extract<RecipientEvent, { type: "survey" }>): void {
  const { id, at, reaction, comment, by, isHeld, isAfter } = event;
  takeEarlier(recipient, "firstReadAt", at);
  const survey = `${event.kind} ${event.surveyId}`;
  const { [survey]: counted } = recipient.surveys ?? {};
  const { [survey]: held } = recipient.held ?? {};
  const known = { ...counted, ...held };
  if ((counted ?? held) && known.by !== by) return;
  const isLater = (stored: Latest<unknown> | undefined) =>
    !stored || at > stored[1] || (at === stored[1] && isAfter(stored[2]));
  const answer: SurveyAnswer = {
    ...(reaction !== undefined && isLater(known.reaction) && { reaction: [reaction, at, id] }),
    ...(comment !== undefined && isLater(known.comment) && { comment: [comment, at, id] }),
  };
  if (Object.keys(answer).length === 0) return;
  setAnswer(recipient, isHeld ? "held" : "surveys", survey, { ...answer, ...(by !== undefined && { by }) });
}

function setAnswer(recipient: Recipient, to: "surveys" | "held", survey: string, answer: SurveyAnswer): void {
  recipient[to] ??= {};
  const answers = recipient[to];
  answers[survey] = { ...answers[survey], ...answer };
  const surveys = Object.keys(answers);
  if (surveys.length > surveysKept) delete answers[surveys.sort().at(-1) ?? ""];
}

/** Makes held answers count, which are later than those that count already. */
export function releaseHeld(
  recipient: Recipient,
  isReleased: (survey: string, answer: SurveyAnswer) => boolean,
): void {
  const { held = {} } = recipient;
  for (const [survey, answer] of Object.entries(held)) {
    if (!isReleased(survey, answer)) continue;
    setAnswer(recipient, "surveys", survey, answer);
    delete held[survey];
  }
  if (Object.keys(held).length === 0) delete recipient.held;
}

/** Erases comments, text answers and event ids. Their counts stay the same. */
export function eraseAnswers(recipient: Recipient): void {
  for (const { reaction, comment } of [recipient.surveys, recipient.held].flatMap((each) =>
    Object.values(each ?? {}),
  )) {
    if (reaction && typeof reaction[0] === "string") reaction[0] = "";
    if (reaction) reaction[2] = "";
    if (comment) [comment[0], comment[2]] = ["", ""];
  }
}

/** Sorts by time, link and reason, so that the clicks beyond the limit do not depend on arrival. */
function compareClicks(a: Click, b: Click): number {
  return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0);
}

function addClick(recipient: Recipient, click: Click): void {
  recipient.clicks ??= [];
  insert(recipient.clicks, click, compareClicks);
  if (recipient.clicks.length <= clicksKept) return;
  const [, , reason] = recipient.clicks.pop() as Click;
  recipient.moreClicks ??= {};
  addOne(recipient.moreClicks, reason);
}

/** Sorts by time and name, for the same purpose as {@link compareClicks}. */
function compareOpens(a: Open, b: Open): number {
  return a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);
}

function addOpen(
  recipient: Recipient,
  { at, reason, device }: Extract<RecipientEvent, { type: "open" }>,
): void {
  const open: Open = [at, `${reason} ${device ?? "unknown"}`];
  let other: Open | undefined = open;
  if (isHuman(reason)) {
    recipient.opens ??= [];
    insert(recipient.opens, open, compareOpens);
    other = recipient.opens.length > opensKept ? recipient.opens.pop() : undefined;
  } else {
    takeEarlier(recipient, "firstAutomatedAt", at);
  }
  if (!other) return;
  recipient.moreOpens ??= {};
  addOne(recipient.moreOpens, other[1]);
}

/** Inserts into a sorted list. Most events arrive in order, so it is searched from the end. */
function insert<Item>(sorted: Item[], item: Item, compare: (a: Item, b: Item) => number): void {
  let index = sorted.length;
  while (index > 0 && compare(sorted[index - 1] as Item, item) > 0) index -= 1;
  sorted.splice(index, 0, item);
}

function takeEarlier(recipient: Recipient, name: "firstReadAt" | "firstAutomatedAt", at: number): void {
  recipient[name] = Math.min(recipient[name] ?? at, at);
}

function lengthOf(seconds: number): ReadLength {
  if (seconds === 0) return "unmeasured";
  if (seconds <= readTimeLimits.glanced) return "glanced";
  return seconds <= readTimeLimits.skimmed ? "skimmed" : "read";
}

function addOne<Name extends string>(counts: Partial<Record<Name, number>>, name: Name): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
