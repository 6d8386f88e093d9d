// When counted campaigns are opened: opens by weekday and hour. What a campaign adds is cached until it changes.

import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { dayMs, hourMs, quarterHourMs } from "../../campaign/calendar/durations.ts";
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

export interface OpenTimes {
  /** Opens by hour of the week in the organization's time zone, from Monday 0:00. */
  hours: Record<TrafficFilter, Float64Array>;
  /** How many campaigns they come from. */
  campaigns: number;
}

/** Those of one campaign, at a revision id. */
interface CachedTimes {
  revisionId: number;
  hours: Record<TrafficFilter, Float64Array>;
}

/** Two lists of 168 numbers each. */
const bytesPerCampaign = 3_000;
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
        if (revisionId !== undefined)
          this.#cache.set(keyOf(id), { revisionId, hours: sumOpens(own, timeZone) });
      }
    }
    const left = new Set(missing);
    return addUp(ids.filter((id) => !left.has(id)).flatMap((id) => this.#cache.get(keyOf(id)) ?? []));
  }
}

function addUp(times: readonly CachedTimes[]): OpenTimes {
  const hours = noHours();
  for (const each of times) {
    for (const traffic of trafficFilters) {
      for (let hour = 0; hour < hoursPerWeek; hour++) {
        hours[traffic][hour] = (hours[traffic][hour] as number) + (each.hours[traffic][hour] as number);
      }
    }
  }
  return { hours, campaigns: times.length };
}

const noHours = () => ({ people: new Float64Array(hoursPerWeek), all: new Float64Array(hoursPerWeek) });

/** Adds up the parts without listing their quarter hours, of which a campaign may have thousands. */
function sumOpens(parts: readonly string[], timeZone: string): CachedTimes["hours"] {
  const hours = noHours();
  const hourOf = hoursOfWeek(timeZone);
  for (const part of parts) {
    for (const [activity, verdict, pairs] of entriesOfPart(part)) {
      if (activity !== "open") continue;
      const { isHuman } = describeVerdict(verdict);
      for (let index = 0; index < pairs.length; index += 2) {
        const hour = hourOf(pairs[index] as number);
        const count = pairs[index + 1] as number;
        hours.all[hour] = (hours.all[hour] as number) + count;
        if (isHuman) hours.people[hour] = (hours.people[hour] as number) + count;
      }
    }
  }
  return hours;
}

/** By time zone: hours of the week by the number of the quarter hour. Asking `Intl` takes several times as long. */
const knownHours = new LRUCache<string, Map<number, number>>({ max: 50 });
/** Quarter hours of a time zone. A year has 35,000. */
const maxKnownHours = 50_000;

/** @returns a function of the number of a quarter hour since 1970 */
function hoursOfWeek(timeZone: string): (number: number) => number {
  const known = knownHours.get(timeZone) ?? new Map<number, number>();
  knownHours.set(timeZone, known);
  return (number) => {
    let hour = known.get(number);
    if (hour === undefined) {
      if (known.size >= maxKnownHours) known.clear();
      hour = hourOfWeek(number * quarterHourMs, timeZone);
      known.set(number, hour);
    }
    return hour;
  };
}

function hourOfWeek(quarter: number, timeZone: string): number {
  const wall = quarter + zoneOffset(quarter, timeZone);
  // January 1, 1970 was a Thursday.
  const days = Math.floor(wall / dayMs) + 3;
  const day = ((days % daysPerWeek) + daysPerWeek) % daysPerWeek;
  return day * hoursPerDay + Math.floor((wall - Math.floor(wall / dayMs) * dayMs) / hourMs);
}
