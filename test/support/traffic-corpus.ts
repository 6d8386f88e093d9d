// Labelled traffic of recipients behind each kind of gateway, with the parameters that senders and vendors published. The
// same seed always gives the same corpus.

import { dayMs, hourMs, minuteMs } from "../../src/campaign/calendar/durations.ts";
import type { Random } from "./histories.ts";

export interface LabelledEvent {
  type: "open" | "click";
  /** In milliseconds after the sending; no two events of a recipient have the same. */
  at: number;
  /** The number of a link. */
  link: number;
  isPerson: boolean;
  isHidden?: boolean;
  ip?: string;
  userAgent: string;
}

const browser =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36";
const apple = "Mozilla/5.0";

/** The network of the gateway that the operator lists. */
export const operatorsNetwork = "198.51.100.0/24 all Gateway that follows the first link";

/** Events of one recipient while they are made: people and machines use the same browser. */
class Recipient {
  readonly events: LabelledEvent[] = [];
  readonly random: Random;
  readonly #taken = new Set<number>();

  constructor(random: Random) {
    this.random = random;
  }

  add(type: "open" | "click", at: number, fields: Partial<LabelledEvent> = {}): void {
    let free = Math.round(at);
    while (this.#taken.has(free)) free += 1;
    this.#taken.add(free);
    this.events.push({ type, at: free, link: 0, isPerson: true, userAgent: browser, ...fields });
  }

  /** Log-normal: half are below the median, two thirds within a factor of e to the power of sigma. */
  logNormal(median: number, sigma: number): number {
    let sum = -6;
    for (let index = 0; index < 12; index++) sum += this.random.between(0, 1_000_000) / 1_000_000;
    return median * Math.exp(sigma * sum);
  }
}

/** A person opens, and may follow a few links of a digest: one after the other, or seldom several at once in tabs. */
function addPerson(
  to: Recipient,
  { openedAt = to.logNormal(90 * minuteMs, 2), clicks = 20, links = 9, ip = "203.0.113.5", tabs = 5 } = {},
): void {
  const { random } = to;
  to.add("open", openedAt, { ip });
  if (random.chance(30)) to.add("open", openedAt + to.logNormal(8 * hourMs, 1.5), { ip });
  if (!random.chance(clicks)) return;
  let at = openedAt + to.logNormal(12_000, 0.8);
  const hasTabs = random.chance(tabs);
  for (let count = random.pick([1, 1, 1, 1, 1, 1, 2, 2, 3, 4]); count > 0; count--) {
    to.add("click", at, { link: random.between(1, links), ip });
    at += hasTabs ? 500 + to.logNormal(1_500, 0.5) : 1_500 + to.logNormal(25_000, 0.9);
  }
}

/** Half of the recipients read the message at some time, machines or not. */
function addSomePerson(to: Recipient, links = 9): void {
  if (to.random.chance(50)) addPerson(to, { links });
}

/** The image at a median of 9 s: 61 % within 10 s, 84 % within 20 s (craft-campaign#546). */
const pixelAt = (to: Recipient) => to.logNormal(9_000, 0.8);

/** The links at a median of 43 s: 0.5 % within 10 s, 66 % from 20 to 60 s, 28 % from one to five minutes (the same). */
const sweepAt = (to: Recipient) => Math.max(2_000, to.logNormal(43_000, 0.57));

/** All links in less than a second, and the hidden one if the message has it. */
function addSweep(
  to: Recipient,
  at: number,
  { links = to.random.between(9, 10), hidden = false, pixel = pixelAt(to), ip = "203.0.113.99" } = {},
): void {
  to.add("open", Math.min(pixel, at - 500), { isPerson: false, ip });
  for (let link = 1; link <= links; link++)
    to.add("click", at + to.random.between(0, 900), { link, isPerson: false, ip });
  if (hidden) to.add("click", at + to.random.between(0, 900), { isHidden: true, isPerson: false, ip });
}

const makers: Record<string, (to: Recipient) => void> = {
  "No gateway, digest": (to) => addPerson(to, { clicks: 40 }),
  "No gateway, fast readers": (to) => addPerson(to, { openedAt: to.logNormal(25_000, 0.6), clicks: 70 }),
  "No gateway, links opened in tabs": (to) => addPerson(to, { clicks: 100, tabs: 100 }),
  "No gateway, forwarded to a team": (to) => {
    for (let readers = to.random.between(3, 8); readers > 0; readers--) addPerson(to, { clicks: 40 });
  },
  "Apple Mail Privacy Protection": (to) => {
    to.add("open", to.logNormal(10 * minuteMs, 1.5), { isPerson: false, userAgent: apple });
    if (to.random.chance(10))
      to.add("click", to.logNormal(2 * hourMs, 1.5), { link: to.random.between(1, 9), ip: "203.0.113.5" });
  },
  "Sweep of all links, image first": (to) => {
    addSweep(to, sweepAt(to));
    addSomePerson(to);
  },
  "The same, with a hidden link": (to) => {
    addSweep(to, sweepAt(to), { hidden: true });
    addSomePerson(to);
  },
  "Late sweep, 1 to 24 hours": (to) => {
    const at = hourMs + to.random.between(0, dayMs - hourMs);
    addSweep(to, at, { pixel: at - to.logNormal(30_000, 0.6) });
    addSomePerson(to);
  },
  "Microsoft 365 protection, one link": (to) => {
    addSweep(to, sweepAt(to), { links: 1, ip: `40.107.${to.random.between(0, 255)}.9` });
    addSomePerson(to, 1);
  },
  "First link only, network in SCANNER_NETWORKS": (to) => {
    addSweep(to, sweepAt(to), { links: 1, ip: "198.51.100.7" });
    addSomePerson(to);
  },
  "First link only, unknown network": (to) => {
    addSweep(to, sweepAt(to), { links: 1 });
    addSomePerson(to);
  },
  "The same, with a hidden link followed": (to) => {
    addSweep(to, sweepAt(to), { links: 1, hidden: true });
    addSomePerson(to);
  },
  "Isolation browser": (to) => addPerson(to, { clicks: 40, ip: "192.0.2.50" }),
  "A click repeated by a scanner 12 s later": (to) => {
    addPerson(to, { clicks: 100 });
    const click = to.events.find(({ type }) => type === "click");
    if (click) to.add("click", click.at + 12_000, { link: click.link, isPerson: false, ip: "192.0.2.77" });
  },
};

/** Recipients behind each gateway, each with its events in order of time. */
export function* makeCorpus(
  random: Random,
  recipients: number,
): Generator<{ gateway: string; recipients: LabelledEvent[][] }> {
  for (const [gateway, make] of Object.entries(makers)) {
    const made = Array.from({ length: recipients }, () => {
      const recipient = new Recipient(random);
      make(recipient);
      return recipient.events.sort((a, b) => a.at - b.at);
    });
    yield { gateway, recipients: made };
  }
}
