// How the opens and clicks of a campaign came in, for people to look at: in its first hours, day by day, by whom, and on
// which links.

import { setImmediate as turnEnd } from "node:timers/promises";
import { hourMs } from "../../campaign/calendar/durations.ts";
import { startOfHour } from "../../campaign/calendar/hours.ts";
import { formatSentAt } from "../../campaign/calendar/sent-at.ts";
import {
  type Activity,
  describeVerdict,
  startOfQuarter,
  verdictMeanings,
} from "../../campaign/events/activity.ts";
import { type HourCount, HourCounts } from "../../campaign/events/hour-counts.ts";
import { findHourParts } from "../../storage/campaigns/campaign-hours.ts";
import { findLinks } from "../../storage/campaigns/campaign-links.ts";
import { chunks, type Database } from "../../storage/database.ts";

/** How many opens or clicks came from whom. */
export interface ActivityCounts {
  human: number;
  automated: number;
}

export interface CampaignActivity {
  /**
   * Each hour of the organization's clocks from the sending on, up to the last with any activity among the first
   * {@link hoursShown}.
   */
  hours: ({ at: number } & Record<Activity, ActivityCounts>)[];
  /** Days of the time zone on which anything happened: `Jan 5, 2024`. */
  days: ({ day: string } & Record<Activity, ActivityCounts>)[];
  /** By verdict: those of people first, in the order of the table of verdicts. */
  verdicts: {
    verdict: string;
    title: string;
    meaning: string;
    isHuman: boolean;
    open: number;
    click: number;
  }[];
  /** By people's clicks. The one without an address stands for all other links, and comes last. */
  links: { url: string; people: number; all: number }[];
}

/** How many hours from the sending on are shown one by one. */
export const hoursShown = 72;

/** So few that the event loop is not held for long. */
const partsAtOnce = 20;
/** The latest of them: what is told of any day of the past is not to make a page without end. */
export const daysShown = 400;

export async function readActivity(
  database: Database,
  { id: organizationId, timeZone }: { id: number; timeZone: string },
  { id, sentAt }: { id: number; sentAt: number },
  stopped?: AbortSignal,
): Promise<CampaignActivity> {
  const counts = new HourCounts();
  for (let after = 0; ; ) {
    const page = { after, limit: partsAtOnce };
    stopped?.throwIfAborted();
    const some = await database.query((queries) => findHourParts(queries, organizationId, id, page));
    for (const { part, counts: added } of some) {
      counts.addEncoded(added);
      after = part;
    }
    if (some.length < partsAtOnce) break;
    await turnEnd();
  }
  const sums = new Sums(sentAt, timeZone);
  for (const some of chunks(counts.list())) {
    // Parts that were read one after the other, while clicks were judged anew, may take away what was not read yet.
    for (const each of some) if (each.count > 0) sums.add(each);
    await turnEnd();
  }
  const links = await database.query((queries) => findLinks(queries, organizationId, id));
  return { hours: sums.firstHours(), days: sums.days(), verdicts: sums.verdicts(), links: byAddress(links) };
}

const none = (): Record<Activity, ActivityCounts> => ({
  open: { human: 0, automated: 0 },
  click: { human: 0, automated: 0 },
});

/** What came so long before the sending belongs to its beginning; what came before was of another sending. */
const earlyMsMax = hourMs;

class Sums {
  readonly #first: number;
  readonly #earliest: number;
  readonly #timeZone: string;
  readonly #hours = new Map<number, Record<Activity, ActivityCounts>>();
  readonly #days = new Map<string, Record<Activity, ActivityCounts>>();
  readonly #verdicts = new Map<string, Record<Activity, number>>();
  #lastDay = { quarter: Number.NaN, day: "" };

  constructor(sentAt: number, timeZone: string) {
    this.#first = startOfHour(sentAt, timeZone);
    this.#earliest = startOfQuarter(sentAt) - earlyMsMax;
    this.#timeZone = timeZone;
  }

  add({ quarter, activity, verdict, count }: HourCount): void {
    const whose = describeVerdict(verdict).isHuman ? "human" : "automated";
    const place = Math.max(Math.floor((quarter - this.#first) / hourMs), 0);
    if (quarter >= this.#earliest && place < hoursShown) {
      madeIn(this.#hours, this.#first + place * hourMs, none)[activity][whose] += count;
    }
    madeIn(this.#days, this.#dayOf(quarter), none)[activity][whose] += count;
    madeIn(this.#verdicts, verdict, () => ({ open: 0, click: 0 }))[activity] += count;
  }

  #dayOf(quarter: number): string {
    if (this.#lastDay.quarter !== quarter) {
      const day = formatSentAt(quarter, this.#timeZone).replace(/ \d+:\d+ [AP]M$/, "");
      this.#lastDay = { quarter, day };
    }
    return this.#lastDay.day;
  }

  firstHours(): CampaignActivity["hours"] {
    const last = Math.max(...this.#hours.keys(), Number.NEGATIVE_INFINITY);
    const length = this.#hours.size === 0 ? 0 : (last - this.#first) / hourMs + 1;
    return Array.from({ length }, (_, place) => {
      const at = this.#first + place * hourMs;
      return { at, ...(this.#hours.get(at) ?? none()) };
    });
  }

  days(): CampaignActivity["days"] {
    return [...this.#days].slice(-daysShown).map(([day, counts]) => ({ day, ...counts }));
  }

  verdicts(): CampaignActivity["verdicts"] {
    const order = Object.keys(verdictMeanings);
    const placeOf = (verdict: string) => (order.includes(verdict) ? order.indexOf(verdict) : order.length);
    return [...this.#verdicts]
      .map(([verdict, counts]) => ({ verdict, ...describeVerdict(verdict), ...counts }))
      .sort((a, b) => Number(b.isHuman) - Number(a.isHuman) || placeOf(a.verdict) - placeOf(b.verdict));
  }
}

function madeIn<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

/** A link whose shown URL is empty belongs to all other links. Links without clicks are left out. */
function byAddress(
  links: readonly { url: string; people: number; all: number }[],
): CampaignActivity["links"] {
  const sums = new Map<string, { people: number; all: number }>();
  for (const { url, people, all } of links) {
    const sum = madeIn(sums, url, () => ({ people: 0, all: 0 }));
    sum.people += people;
    sum.all += all;
  }
  return [...sums]
    .map(([url, { people, all }]) => ({ url, people: Math.max(people, 0), all: Math.max(all, people, 0) }))
    .filter(({ all }) => all > 0)
    .sort(
      (a, b) =>
        Number(a.url === "") - Number(b.url === "") ||
        b.people - a.people ||
        b.all - a.all ||
        (a.url < b.url ? -1 : 1),
    );
}
