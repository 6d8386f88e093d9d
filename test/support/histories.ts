// Random histories of campaigns: human and automated activity as senders deliver it, with repeats, delays and events out
// of order, in batches that mix campaigns. The same seed always gives the same history.

import { dayMs, hourMs, minuteMs } from "../../src/campaign/calendar/durations.ts";
import type { PutCampaign, ReceivedEvent, SentEvent } from "./oracle.ts";
import { userAgents } from "./oracle.ts";
import { present } from "./world.ts";

export type Step = { now: number } & (
  | { kind: "put"; id: number; campaign: PutCampaign }
  | { kind: "send"; events: SentEvent[] }
);

export interface History {
  seed: number;
  /** The traffic that the organization counts while the events arrive. */
  counts: "people" | "all";
  steps: Step[];
  /** The last registered state of each campaign, by id. */
  campaigns: Map<number, PutCampaign>;
}

export function makeHistory(seed: number): History {
  const random = new Random(seed);
  const campaigns = Array.from({ length: random.between(1, 3) }, (_, index) =>
    makeCampaign(random, index + 1),
  );
  const scene = makeScene(random);
  const deliveries = campaigns.flatMap(({ id, campaign }) =>
    makeEvents(random, scene, campaign).flatMap((event) =>
      makeDeliveries(random, scene, { id, campaign, event }),
    ),
  );
  const steps = makeSteps(random, random.shuffle(deliveries), campaigns);
  const last = new Map<number, PutCampaign>();
  for (const step of steps) if (step.kind === "put") last.set(step.id, step.campaign);
  return { seed, counts: random.pick(["people", "all"]), steps, campaigns: last };
}

/** All events of a campaign in the order of arrival. Each is counted with its batch, or with a later registration. */
export function receivedEventsOf({ steps, campaigns }: History, id: number): ReceivedEvent[] {
  const name = campaigns.get(id)?.external_id;
  const takes = (step: Step, { campaign_id, at }: SentEvent) =>
    step.kind === "put" &&
    step.id === id &&
    (campaign_id === id || campaign_id === step.campaign.external_id) &&
    Date.parse(at) >= Date.parse(step.campaign.sent_at) - 10 * minuteMs;
  return steps.flatMap((step, index) => {
    if (step.kind === "put") return [];
    const events = step.events.filter(({ campaign_id }) => campaign_id === id || campaign_id === name);
    return events.map((event) => {
      const isTaken = steps.slice(0, index).some((earlier) => takes(earlier, event));
      const later = steps.findIndex((each, position) => position > index && takes(each, event));
      return { event, now: step.now, batch: isTaken ? index : later };
    });
  });
}

/** A history of one campaign that is registered before these batches. */
export function historyOf(batches: readonly SentEvent[][]): History {
  const { campaign } = makeCampaign(new Random(0), 1);
  const put = {
    ...campaign,
    sent_at: new Date(present - dayMs).toISOString(),
    sending_type: "Immediate",
    tracking_type: "Individual",
  };
  const steps: Step[] = [
    { now: present, kind: "put", id: 1, campaign: put },
    ...batches.map((events): Step => ({ now: present, kind: "send", events })),
  ];
  return { seed: 0, counts: "people", steps, campaigns: new Map([[1, put]]) };
}

/** The pseudo-random generator mulberry32, which gives the same numbers on every platform. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1);
  }

  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return min + (((mixed ^ (mixed >>> 14)) >>> 0) % (max - min + 1));
  }

  chance(percent: number): boolean {
    return this.between(1, 100) <= percent;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length - 1)] as Item;
  }

  shuffle<Item>(items: readonly Item[]): Item[] {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.between(0, last);
      [shuffled[last], shuffled[other]] = [shuffled[other] as Item, shuffled[last] as Item];
    }
    return shuffled;
  }
}

/** Denominators that produce every kind of rounding, including 0 and fewer than there are recipients. */
const recipientCounts = [0, 1, 2, 3, 6, 7, 8, 13, 32, 96, 160, 800, 8_000, 99_999];

function makeCampaign(random: Random, id: number): { id: number; campaign: PutCampaign } {
  const tracking = random.pick(["Individual", "Anonymous", "Overall"]);
  const campaign: PutCampaign = {
    subject: `Campaign ${id}`,
    sent_at: new Date(present - random.between(2, 5) * hourMs).toISOString(),
    sent_from: "news@example.com",
    team: "Default Team",
    sending_type: random.pick(["Scheduled", "Immediate", tracking === "Overall" ? "Immediate" : "Timezone"]),
    tracking_type: tracking,
    recipient_count: random.pick(recipientCounts),
    recipient_groups: ["Everybody"],
    tags: random.chance(30) ? ["Newsletter"] : [],
    surveys_count: 2,
    ...(random.chance(50) && { external_id: `weekly-${id}` }),
  };
  return { id, campaign };
}

/** Each line spells the same recipient. */
const recipients = [
  ["ann@example.com", " Ann@Example.com", "ANN@EXAMPLE.COM\t"],
  ["jos\u00e9@example.com", "jose\u0301@example.com", "JOSE\u0301@example.com "],
  ["\u2126mega@example.com", "\u03a9MEGA@example.com", "\u03c9mega@example.com"],
  ["\u0130nci@example.com", "i\u0307nci@example.com"],
  // Recipients that look like an IP, or like a property in JavaScript.
  ["192.0.2.1"],
  ["__proto__"],
];
const ips = ["192.0.2.1", " 192.0.2.1 ", "2001:DB8::1", "2001:db8::1", "", "curl/8.0", "40.92.0.1"];
const links = ["a", "b", "c", "d", "e"].map((name) => `https://example.com/${name}`);

/** A few recipients, IPs and user agents per history, so that events share them. */
interface Scene {
  recipients: string[][];
  ips: string[];
  userAgents: string[];
}

function makeScene(random: Random): Scene {
  const some = <Item>(items: readonly Item[], most: number) =>
    random.shuffle(items).slice(0, random.between(1, most));
  return {
    recipients: some(recipients, 4),
    ips: some(ips, 3),
    userAgents: some([...Object.keys(userAgents), "", "  "], 5),
  };
}

type SentEvidence = Pick<SentEvent, "user_agent" | "ip" | "device" | "machine" | "head">;
/** An event without id, campaign and recipient. */
type Action = Omit<SentEvent, "id" | "campaign_id" | "recipient" | "at"> & { at: number };

function makeEvidence(random: Random, scene: Scene): SentEvidence {
  return {
    ...(random.chance(60) && { user_agent: random.pick(scene.userAgents) }),
    ...(random.chance(40) && { ip: random.pick(scene.ips) }),
    ...(random.chance(20) && { device: random.pick(["desktop", "mobile"]) }),
    ...(random.chance(10) && { machine: random.chance(80) }),
    ...(random.chance(5) && { head: random.chance(80) }),
  };
}

function makeEvents(random: Random, scene: Scene, campaign: PutCampaign): SentEvent[] {
  const events: SentEvent[] = [];
  const sentAt = Date.parse(campaign.sent_at);
  for (let round = random.between(1, 12); round > 0; round--) {
    const names = random.pick(scene.recipients);
    const shared = makeEvidence(random, scene);
    for (const { at, ...deed } of makeActions(random, sentAt)) {
      events.push({
        // Ids are unique only within a campaign, so all campaigns use the same ones.
        id: `e-${events.length}`,
        campaign_id: 0,
        recipient: random.pick(names),
        ...deed,
        at: formatTime(random, at),
        ...(random.chance(70) ? shared : makeEvidence(random, scene)),
      });
    }
  }
  const shared = makeEvidence(random, scene);
  for (const action of random.chance(50) ? makeSweep(random, sentAt) : []) {
    const { at, ...deed } = action;
    const base = { id: `e-${events.length}`, campaign_id: 0, recipient: "swept@example.com" };
    const evidence = action.type === "open" ? { user_agent: "The Bat!" } : shared;
    events.push({ ...base, ...deed, at: formatTime(random, at), ...evidence });
  }
  return events;
}

/** Automated clicks for a recipient of its own, opens near the limits before and after them, and often a sign of life. */
function makeSweep(random: Random, sentAt: number): Action[] {
  const start = sentAt + 10 * minuteMs;
  const at = start + random.pick([-120_001, -120_000, -119_999, 0, 59_999, 60_000, 60_001]);
  const click = (url = ""): Action => ({ type: "click", at: start, url });
  const sweep = random.pick([
    links.slice(0, 3).map(click),
    [{ ...click(links[0]), hidden: true }],
    [{ ...click(links[0]), head: true }],
  ]);
  const life: Action[][] = [
    [],
    [],
    [{ type: "open", at: start + random.pick([1, hourMs]) }],
    [{ type: "click", at: start + hourMs, url: links[0] as string }],
    [makeReading(random, start + hourMs)],
    [{ type: "survey", at: pickAnswerTime(random, sentAt), kind: "enps", survey_id: "s-1", score: 9 }],
    Array.from({ length: random.between(19, 21) }, (_, index) => ({ type: "open", at: start + index })),
  ];
  return [{ type: "open", at }, ...sweep, ...random.pick(life)];
}

/** What one recipient does at one time. */
function makeActions(random: Random, sentAt: number): Action[] {
  const at = pickTime(random, sentAt);
  const kind = random.between(1, 100);
  if (kind <= 25) return [{ type: "open", at }];
  if (kind <= 45) return [makeReading(random, at)];
  if (kind <= 70) return makeAnswers(random, sentAt);
  if (kind <= 73) return [{ type: "click", at, url: random.pick(links), hidden: true }];
  return makeClicks(random, at);
}

/** Near the send time, and near the limits for test sends and for times in the future. */
function pickTime(random: Random, sentAt: number): number {
  const kind = random.between(1, 100);
  if (kind <= 8) return sentAt - 10 * minuteMs + random.pick([-minuteMs, -1, 0, 1]);
  if (kind <= 16) return present + random.between(3, 12) * minuteMs + random.pick([0, 1]);
  if (kind <= 18) return present + dayMs;
  // Few different times, so that events of different rounds coincide.
  return sentAt + random.between(0, 6) * 5_000 + random.pick([0, 0, 1]);
}

function makeReading(random: Random, at: number): Action {
  const seconds = random.pick([0, 0.4, 1, 2.999, 3, 3.001, 5, 8.5, 9, 9.001, 12.5, 4_000]);
  return { type: "read", at, seconds };
}

/** One or more clicks; often with a span from first to last at the limit of a burst. */
function makeClicks(random: Random, start: number): Action[] {
  const click = (at: number, url: string): Action => {
    const hidden = random.chance(30) ? { hidden: false } : {};
    return { type: "click", at, url, ...hidden };
  };
  if (random.chance(40)) return [click(start, random.pick(links))];
  const different = random.shuffle(links);
  if (random.chance(60)) {
    const offsets = [0, random.between(0, 10_000), random.pick([9_999, 10_000, 10_001])];
    return offsets.map((offset, index) => click(start + offset, different[index] as string));
  }
  return Array.from({ length: random.between(2, 6) }, () =>
    click(start + random.between(0, 25) * 1_000, random.pick(different.slice(0, 4))),
  );
}

/** Few different times, so that answers of one recipient coincide: then the event id decides. */
function pickAnswerTime(random: Random, sentAt: number): number {
  return random.chance(5) ? present + dayMs : sentAt + random.between(-1, 2) * 10 * minuteMs;
}

/** Often those beside which promoters, passives and detractors begin. */
const scores = [0, 1, 5, 6, 6, 7, 8, 9, 9, 10];

/** One recipient answers a survey, and may change the answer. */
function makeAnswers(random: Random, sentAt: number): Action[] {
  const kind = random.pick(["enps", "enps", "pulse"] as const);
  const survey_id = random.pick(["s-1", "s-2", "__proto__"]);
  return Array.from({ length: random.pick([1, 1, 2, 3]) }, (): Action => {
    const comment = random.pick([undefined, undefined, "More of this", "", "  \n"]);
    const base = { type: "survey" as const, at: pickAnswerTime(random, sentAt), kind, survey_id };
    if (random.chance(25)) return { ...base, comment: random.pick(["Only words", "\u00e4h"]) };
    const reaction =
      kind === "enps" || random.chance(40)
        ? { score: random.pick(scores) }
        : { answer: random.pick(["Yes", "No"]) };
    return { ...base, ...reaction, ...(comment !== undefined && { comment }) };
  });
}

/** The instant in one of the accepted timestamp shapes. */
function formatTime(random: Random, at: number): string {
  const kind = random.between(1, 10);
  if (kind === 1) return new Date(at + 2 * hourMs).toISOString().replace("Z", "+02:00");
  if (kind === 2) return new Date(at - 5.5 * hourMs).toISOString().replace("Z", "-05:30");
  // Digits beyond milliseconds are cut off.
  if (kind === 3) return new Date(at).toISOString().replace("Z", "999Z");
  return new Date(at).toISOString();
}

/** An event is sent once or repeatedly, sometimes with other content under the same id: then the first one counts. */
function makeDeliveries(
  random: Random,
  scene: Scene,
  { id, campaign, event }: { id: number; campaign: PutCampaign; event: SentEvent },
): SentEvent[] {
  const name = () => (campaign.external_id !== undefined && random.chance(30) ? campaign.external_id : id);
  const usual = name();
  const isAltered = random.chance(10);
  // Copies quarantined under id and external id have no known order. If the order matters, all copies use the same name.
  const needsOneName = isAltered || Date.parse(event.at) > present;
  return Array.from({ length: random.pick([1, 1, 1, 2, 2, 3, 5]) }, (): SentEvent => {
    const campaign_id = needsOneName ? usual : name();
    if (!isAltered || random.chance(50)) return { ...event, campaign_id };
    const recipient = random.pick(random.pick(scene.recipients));
    const { at } = event;
    return { id: event.id, campaign_id, recipient, type: "open", at, ...makeEvidence(random, scene) };
  });
}

/** Splits the deliveries into batches. Registers each campaign at the start or, one time in three, later. */
function makeSteps(
  random: Random,
  deliveries: SentEvent[],
  campaigns: { id: number; campaign: PutCampaign }[],
): Step[] {
  const steps: Step[] = [];
  for (let start = 0; start < deliveries.length; ) {
    const size = random.pick([1, 3, 10, 30, 100]);
    steps.push({ now: 0, kind: "send", events: deliveries.slice(start, start + size) });
    start += size;
  }
  for (const { id, campaign } of campaigns) {
    const place = random.chance(35) ? random.between(0, steps.length) : 0;
    steps.splice(place, 0, { now: 0, kind: "put", id, campaign });
    if (!random.chance(20)) continue;
    const again = { now: 0, kind: "put" as const, id, campaign: makeChange(random, campaign) };
    steps.splice(random.between(place + 1, steps.length), 0, again);
  }
  return steps.map((step, index) => ({ ...step, now: present + index * minuteMs }));
}

/** Moves the send time earlier, which can turn a test send into a counted event. */
function makeChange(random: Random, campaign: PutCampaign): PutCampaign {
  const sentAt = Date.parse(campaign.sent_at) - random.pick([0, 1, minuteMs]);
  return {
    ...campaign,
    sent_at: new Date(sentAt).toISOString(),
    recipient_count: random.pick(recipientCounts),
  };
}
