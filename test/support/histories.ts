// Random histories of campaigns: what recipients and machines did, told as senders tell it: repeated, late, out of
// order, in batches that mix campaigns. The same seed always gives the same history.

import { dayMs, hourMs, minuteMs } from "../../src/campaign/calendar/durations.ts";
import type { Arrival, PutCampaign, SentEvent } from "./oracle.ts";
import { userAgents } from "./oracle.ts";
import { present } from "./world.ts";

export type Step = { now: number } & (
  | { kind: "put"; id: number; campaign: PutCampaign }
  | { kind: "send"; events: SentEvent[] }
);

export interface History {
  seed: number;
  /** What the organization counts while the events come. */
  counts: "people" | "all";
  steps: Step[];
  /** The campaigns as they were registered last, by id. */
  campaigns: Map<number, PutCampaign>;
}

export function makeHistory(seed: number): History {
  const random = new Random(seed);
  const campaigns = Array.from({ length: random.from(1, 3) }, (_, index) => makeCampaign(random, index + 1));
  const scene = makeScene(random);
  const deliveries = campaigns.flatMap(({ id, campaign }) =>
    makeEvents(random, scene, campaign).flatMap((event) => deliver(random, scene, { id, campaign, event })),
  );
  const steps = makeSteps(random, random.shuffle(deliveries), campaigns);
  const last = new Map<number, PutCampaign>();
  for (const step of steps) if (step.kind === "put") last.set(step.id, step.campaign);
  return { seed, counts: random.pick(["people", "all"]), steps, campaigns: last };
}

/** All events of a campaign in the order of their arrival. */
export function arrivalsOf({ steps, campaigns }: History, id: number): Arrival[] {
  const name = campaigns.get(id)?.external_id;
  return steps.flatMap((step) => {
    if (step.kind === "put") return [];
    const events = step.events.filter(({ campaign_id }) => campaign_id === id || campaign_id === name);
    return events.map((event) => ({ event, now: step.now }));
  });
}

/** The history of one campaign that was registered first, from what is sent in each batch. */
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

/** A small generator of numbers that look random (mulberry32): every platform gives the same ones. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1);
  }

  /** A whole number from `min` to `max`. */
  from(min: number, max: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return min + (((mixed ^ (mixed >>> 14)) >>> 0) % (max - min + 1));
  }

  chance(percent: number): boolean {
    return this.from(1, 100) <= percent;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.from(0, items.length - 1)] as Item;
  }

  shuffle<Item>(items: readonly Item[]): Item[] {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.from(0, last);
      [shuffled[last], shuffled[other]] = [shuffled[other] as Item, shuffled[last] as Item];
    }
    return shuffled;
  }
}

/** Denominators that bring out every kind of rounding; none is among them, and fewer than there are recipients. */
const recipientCounts = [0, 1, 2, 3, 6, 7, 8, 13, 32, 96, 160, 800, 8_000, 99_999];

function makeCampaign(random: Random, id: number): { id: number; campaign: PutCampaign } {
  const tracking = random.pick(["Individual", "Anonymous", "Overall"]);
  const campaign: PutCampaign = {
    subject: `Campaign ${id}`,
    sent_at: new Date(present - random.from(2, 5) * hourMs).toISOString(),
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

/** One and the same recipient on each line. */
const recipients = [
  ["ann@example.com", " Ann@Example.com", "ANN@EXAMPLE.COM\t"],
  ["jos\u00e9@example.com", "jose\u0301@example.com", "JOSE\u0301@example.com "],
  ["\u2126mega@example.com", "\u03a9MEGA@example.com", "\u03c9mega@example.com"],
  ["\u0130nci@example.com", "i\u0307nci@example.com"],
  // Also texts that are somebody's address on the net, or the name of something in JavaScript.
  ["192.0.2.1"],
  ["__proto__"],
];
const ips = ["192.0.2.1", " 192.0.2.1 ", "2001:DB8::1", "2001:db8::1", "", "curl/8.0"];
const links = ["a", "b", "c", "d", "e"].map((name) => `https://example.com/${name}`);

/** The few people, places and programs that a history is about, so that they meet again and again. */
interface Scene {
  recipients: string[][];
  ips: string[];
  userAgents: string[];
}

function makeScene(random: Random): Scene {
  const some = <Item>(items: readonly Item[], most: number) =>
    random.shuffle(items).slice(0, random.from(1, most));
  return {
    recipients: some(recipients, 4),
    ips: some(ips, 3),
    userAgents: some([...Object.keys(userAgents), "", "  "], 5),
  };
}

type SentEvidence = Pick<SentEvent, "user_agent" | "ip" | "device" | "machine" | "head">;
/** An event before it has an id and the name of its campaign. */
type Deed = Omit<SentEvent, "id" | "campaign_id" | "recipient" | "at"> & { at: number };

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
  const answers = new SurveyTimes(random, Date.parse(campaign.sent_at));
  for (let round = random.from(1, 12); round > 0; round--) {
    const names = random.pick(scene.recipients);
    const shared = makeEvidence(random, scene);
    for (const { at, ...deed } of makeDeeds(random, Date.parse(campaign.sent_at), answers)) {
      events.push({
        // Ids are unique within a campaign only: other campaigns have the same ones.
        id: `e-${events.length}`,
        campaign_id: 0,
        recipient: random.pick(names),
        ...deed,
        at: timeText(random, at),
        ...(random.chance(70) ? shared : makeEvidence(random, scene)),
      });
    }
  }
  return events;
}

/** What one recipient does in one go. */
function makeDeeds(random: Random, sentAt: number, answers: SurveyTimes): Deed[] {
  const at = someTime(random, sentAt);
  const kind = random.from(1, 100);
  if (kind <= 25) return [{ type: "open", at }];
  if (kind <= 45) return [makeReading(random, at)];
  if (kind <= 70) return makeAnswers(random, answers);
  if (kind <= 73) return [{ type: "click", at, url: random.pick(links), hidden: true }];
  return makeClicks(random, at);
}

/** Around the campaign, and around the limits of what is a test sending and what is in the future. */
function someTime(random: Random, sentAt: number): number {
  const kind = random.from(1, 100);
  if (kind <= 8) return sentAt - 10 * minuteMs + random.pick([-minuteMs, -1, 0, 1]);
  if (kind <= 16) return present + random.from(3, 12) * minuteMs + random.pick([0, 1]);
  if (kind <= 18) return present + dayMs;
  // Few times, so that what happens at different times of the history falls together.
  return sentAt + random.from(0, 6) * 5_000 + random.pick([0, 0, 1]);
}

function makeReading(random: Random, at: number): Deed {
  const seconds = random.pick([0, 0.4, 1, 2.999, 3, 3.001, 5, 8.5, 9, 9.001, 12.5, 4_000]);
  return { type: "read", at, seconds };
}

/** Several clicks in a row; every other time so that the span from first to last lies at the limit of a burst. */
function makeClicks(random: Random, start: number): Deed[] {
  const click = (at: number, url: string): Deed => {
    const hidden = random.chance(30) ? { hidden: false } : {};
    return { type: "click", at, url, ...hidden };
  };
  if (random.chance(40)) return [click(start, random.pick(links))];
  const different = random.shuffle(links);
  if (random.chance(60)) {
    const offsets = [0, random.from(0, 10_000), random.pick([9_999, 10_000, 10_001])];
    return offsets.map((offset, index) => click(start + offset, different[index] as string));
  }
  return Array.from({ length: random.from(2, 6) }, () =>
    click(start + random.from(0, 25) * 1_000, random.pick(different.slice(0, 4))),
  );
}

/**
 * No two answers have the same time: which of them is the later one would be decided by a hash. Times of arrival are
 * whole minutes, so an answer that is taken for one of them differs from the others; there is one such at most.
 */
class SurveyTimes {
  readonly #random: Random;
  readonly #sentAt: number;
  readonly #taken = new Set<number>();
  #hasFuture = false;

  constructor(random: Random, sentAt: number) {
    this.#random = random;
    this.#sentAt = sentAt;
  }

  next(): number {
    if (!this.#hasFuture && this.#random.chance(5)) {
      this.#hasFuture = true;
      return present + dayMs;
    }
    for (;;) {
      const at = this.#sentAt + this.#random.from(-2, 90) * minuteMs + 1;
      if (this.#taken.has(at)) continue;
      this.#taken.add(at);
      return at;
    }
  }
}

/** One recipient answers a survey, and may think again. */
function makeAnswers(random: Random, times: SurveyTimes): Deed[] {
  const kind = random.pick(["enps", "enps", "pulse"] as const);
  const survey_id = random.pick(["s-1", "s-2", "__proto__"]);
  return Array.from({ length: random.pick([1, 1, 2, 3]) }, (): Deed => {
    const comment = random.pick([undefined, undefined, "More of this", "", "  \n"]);
    const base = { type: "survey" as const, at: times.next(), kind, survey_id };
    if (random.chance(25)) return { ...base, comment: random.pick(["Only words", "\u00e4h"]) };
    const reaction =
      kind === "enps" || random.chance(40)
        ? { score: random.from(0, 10) }
        : { answer: random.pick(["Yes", "No"]) };
    return { ...base, ...reaction, ...(comment !== undefined && { comment }) };
  });
}

/** The same instant in one of the ways to write it. */
function timeText(random: Random, at: number): string {
  const kind = random.from(1, 10);
  if (kind === 1) return new Date(at + 2 * hourMs).toISOString().replace("Z", "+02:00");
  if (kind === 2) return new Date(at - 5.5 * hourMs).toISOString().replace("Z", "-05:30");
  // Beyond milliseconds, digits are cut.
  if (kind === 3) return new Date(at).toISOString().replace("Z", "999Z");
  return new Date(at).toISOString();
}

/** An event is sent once or again and again, at times with other content under the same id: then the first counts. */
function deliver(
  random: Random,
  scene: Scene,
  { id, campaign, event }: { id: number; campaign: PutCampaign; event: SentEvent },
): SentEvent[] {
  const name = () => (campaign.external_id !== undefined && random.chance(30) ? campaign.external_id : id);
  const usual = name();
  const isAltered = random.chance(10);
  // While it waits under two names, which one came first is not known: so where it matters, all copies use one name.
  const needsOneName = isAltered || Date.parse(event.at) > present;
  return Array.from({ length: random.pick([1, 1, 1, 2, 2, 3, 5]) }, (): SentEvent => {
    const campaign_id = needsOneName ? usual : name();
    if (!isAltered || random.chance(50)) return { ...event, campaign_id };
    const recipient = random.pick(random.pick(scene.recipients));
    const { at } = event;
    return { id: event.id, campaign_id, recipient, type: "open", at, ...makeEvidence(random, scene) };
  });
}

/** Cuts what is sent into batches, and registers each campaign at the start or, one time in three, later. */
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
    const place = random.chance(35) ? random.from(0, steps.length) : 0;
    steps.splice(place, 0, { now: 0, kind: "put", id, campaign });
    if (!random.chance(20)) continue;
    const again = { now: 0, kind: "put" as const, id, campaign: change(random, campaign) };
    steps.splice(random.from(place + 1, steps.length), 0, again);
  }
  return steps.map((step, index) => ({ ...step, now: present + index * minuteMs }));
}

/** Sent earlier than was told first: what looked like a test sending may be none. */
function change(random: Random, campaign: PutCampaign): PutCampaign {
  const sentAt = Date.parse(campaign.sent_at) - random.pick([0, 1, minuteMs]);
  return {
    ...campaign,
    sent_at: new Date(sentAt).toISOString(),
    recipient_count: random.pick(recipientCounts),
  };
}
