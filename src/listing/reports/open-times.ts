// When counted campaigns are opened: opens by weekday and hour, and all traffic by month. What a campaign adds is cached until
// it changes.

import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { dateOfWallTime } from "../../campaign/calendar/calendar-date.ts";
import { dayMs, hourMs, quarterHourMs } from "../../campaign/calendar/durations.ts";
import { monthNumber } from "../../campaign/calendar/months.ts";
import { zoneOffset } from "../../campaign/calendar/time-zone.ts";
import { describeVerdict } from "../../campaign/events/activity.ts";
import { entriesOfPart } from "../../campaign/events/hour-counts.ts";
import { type TrafficFilter, trafficFilters } from "../../campaign/events/traffic.ts";
import { findHourPartsOfCampaigns } from "../../storage/campaigns/campaign-hours.ts";
import { findChangesOf } from "../../storage/campaigns/changes.ts";
import type { Database } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";

export const daysPerWeek = 7;
export const hoursPerDay = 24;
const hoursPerWeek = daysPerWeek * hoursPerDay;

/** Opens and clicks by {@link monthNumber} in the organization's time zone, and by verdict. */
export type TrafficByMonth = Map<number, Map<string, number>>;

interface Times {
  /** Opens by hour of the week in the organization's time zone, from Monday 0:00. */
  hours: Record<TrafficFilter, Float64Array>;
  months: TrafficByMonth;
}

export interface OpenTimes extends Times {
  /** How many campaigns they come from. */
  campaigns: number;
}

/** Those of one campaign, at a revision id. */
interface CachedTimes extends Times {
  revisionId: number;
}

/** Two lists of 168 numbers each, and a few verdicts in each of a few months. */
const bytesPerCampaign = 4_500;
const maxBytes = 16 * 1024 * 1024;
/** Decoding so many campaigns does not block the event loop for long. */
const campaignsPerQuery = 5;
/** Decoding a part, which has about a thousand characters, takes some microseconds. The next call goes on. */
const maxPartsPerCall = 1_000;

export class OpenTimesReader {
  readonly #database: Database;
  readonly #cache = new LRUCache<string, CachedTimes>({ max: Math.floor(maxBytes / bytesPerCampaign) });

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The opens of counted campaigns. A call decodes a limited part of the uncached ones, so the first ones may leave out
   * the last campaigns of the list.
   *
   * @param ids with a thousand entries at most
   */
  async read(
    organization: Pick<Organization, "id" | "timeZone">,
    ids: readonly number[],
  ): Promise<OpenTimes> {
    const { id: organizationId, timeZone } = organization;
    const changes = await this.#database.query((queries) => findChangesOf(queries, organizationId, ids));
    const keyOf = (id: number) => JSON.stringify([organizationId, id, timeZone]);
    const missing = ids.filter(
      (id) => this.#cache.get(keyOf(id))?.revisionId !== changes.get(id)?.revisionId,
    );
    for (let parts = 0; missing.length > 0 && parts < maxPartsPerCall; await nextTurn()) {
      const some = missing.splice(0, campaignsPerQuery);
      const found = await this.#database.query((queries) =>
        findHourPartsOfCampaigns(queries, organizationId, some),
      );
      parts += found.length;
      for (const id of some) {
        const own = found.filter(({ campaignId }) => campaignId === id).map(({ counts }) => counts);
        const revisionId = changes.get(id)?.revisionId;
        if (revisionId !== undefined) this.#cache.set(keyOf(id), { revisionId, ...sumParts(own, timeZone) });
      }
    }
    const left = new Set(missing);
    return addUp(ids.filter((id) => !left.has(id)).flatMap((id) => this.#cache.get(keyOf(id)) ?? []));
  }
}

function addUp(times: readonly CachedTimes[]): OpenTimes {
  const sum = noTimes();
  for (const { hours, months } of times) {
    for (const traffic of trafficFilters) {
      for (let hour = 0; hour < hoursPerWeek; hour++) {
        sum.hours[traffic][hour] = (sum.hours[traffic][hour] as number) + (hours[traffic][hour] as number);
      }
    }
    for (const [month, verdicts] of months) {
      for (const [verdict, count] of verdicts) addToMonth(sum, month, verdict, count);
    }
  }
  return { ...sum, campaigns: times.length };
}

const noTimes = (): Times => ({
  hours: { people: new Float64Array(hoursPerWeek), all: new Float64Array(hoursPerWeek) },
  months: new Map(),
});

function addToMonth({ months }: Times, month: number, verdict: string, count: number): void {
  const verdicts = months.get(month) ?? new Map<string, number>();
  months.set(month, verdicts);
  verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + count);
}

/** Adds up the parts without listing their quarter hours, of which a campaign may have thousands. */
function sumParts(parts: readonly string[], timeZone: string): Times {
  const sum = noTimes();
  const slotOf = slotsOf(timeZone);
  for (const part of parts) {
    for (const [activity, verdict, pairs] of entriesOfPart(part)) {
      const { isHuman } = describeVerdict(verdict);
      for (let index = 0; index < pairs.length; index += 2) {
        const slot = slotOf(pairs[index] as number);
        const count = pairs[index + 1] as number;
        addToMonth(sum, Math.floor(slot / hoursPerWeek), verdict, count);
        if (activity === "open") addOpens(sum.hours, slot % hoursPerWeek, count, isHuman);
      }
    }
  }
  return sum;
}

function addOpens({ people, all }: Times["hours"], hour: number, count: number, isHuman: boolean): void {
  all[hour] = (all[hour] as number) + count;
  if (isHuman) people[hour] = (people[hour] as number) + count;
}

/** Slots by time zone, and by the number of the quarter hour. Asking `Intl` takes several times as long. */
const knownSlots = new LRUCache<string, Map<number, number>>({ max: 50 });
/** Quarter hours of a time zone. A year has 35,000. */
const maxKnownSlots = 50_000;

/** @returns a function of the number of a quarter hour since 1970 */
function slotsOf(timeZone: string): (number: number) => number {
  const known = knownSlots.get(timeZone) ?? new Map<number, number>();
  knownSlots.set(timeZone, known);
  return (number) => {
    let slot = known.get(number);
    if (slot === undefined) {
      if (known.size >= maxKnownSlots) known.clear();
      slot = slotAt(number * quarterHourMs, timeZone);
      known.set(number, slot);
    }
    return slot;
  };
}

/** The {@link monthNumber} and the hour of the week, in one number that takes little memory. */
function slotAt(quarter: number, timeZone: string): number {
  const wall = quarter + zoneOffset(quarter, timeZone);
  // January 1, 1970 was a Thursday.
  const days = Math.floor(wall / dayMs) + 3;
  const day = ((days % daysPerWeek) + daysPerWeek) % daysPerWeek;
  const hour = Math.floor((wall - Math.floor(wall / dayMs) * dayMs) / hourMs);
  return monthNumber(dateOfWallTime(wall)) * hoursPerWeek + day * hoursPerDay + hour;
}
