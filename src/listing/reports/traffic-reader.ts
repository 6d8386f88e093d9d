// All traffic of counted campaigns by month. What a campaign adds is cached until it changes.

import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { dateAt } from "../../campaign/calendar/calendar-date.ts";
import { quarterHourMs } from "../../campaign/calendar/durations.ts";
import { monthNumber } from "../../campaign/calendar/months.ts";
import { entriesOfPart } from "../../campaign/events/hour-counts.ts";
import { findHourPartsOfCampaigns } from "../../storage/campaigns/campaign-hours.ts";
import { findChangesOf } from "../../storage/campaigns/changes.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";

/** Opens and clicks by {@link monthNumber} in the organization's time zone, and by verdict. */
export type TrafficByMonth = Map<number, Map<string, number>>;

/** The traffic of one campaign at a revision id: a few verdicts in each of a few months. */
interface CachedTraffic {
  revisionId: number;
  months: TrafficByMonth;
}

const maxCampaigns = 4_000;
/** Decoding so many campaigns does not block the event loop for long. */
const campaignsPerQuery = 5;
/** Decoding a part, which has about a thousand characters, takes some microseconds. The next call goes on. */
const maxPartsPerCall = 1_000;

export class TrafficReader {
  readonly #database: Database;
  readonly #cache = new LRUCache<string, CachedTraffic>({ max: maxCampaigns });

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The traffic of counted campaigns. A call decodes a limited part of the uncached ones, so the first ones may leave out
   * the last campaigns of the list.
   *
   * @param ids with a thousand entries at most
   * @returns also how many campaigns it comes from
   */
  async read(
    organization: Pick<Organization, "id" | "timeZone">,
    ids: readonly number[],
  ): Promise<{ months: TrafficByMonth; campaigns: number }> {
    const { id: organizationId, timeZone } = organization;
    const changes = await this.#database.queryOf(organizationId, (scope) => findChangesOf(scope, ids));
    const keyOf = (id: number) => JSON.stringify([organizationId, id, timeZone]);
    const missing = ids.filter(
      (id) => this.#cache.get(keyOf(id))?.revisionId !== changes.get(id)?.revisionId,
    );
    for (let parts = 0; missing.length > 0 && parts < maxPartsPerCall; await nextTurn()) {
      const some = missing.splice(0, campaignsPerQuery);
      const rows = await this.#database.queryOf(organizationId, (scope) =>
        findHourPartsOfCampaigns(scope, some),
      );
      parts += rows.length;
      for (const id of some) {
        const own = rows.filter(({ campaignId }) => campaignId === id).map(({ counts }) => counts);
        const revisionId = changes.get(id)?.revisionId;
        if (revisionId === undefined) continue;
        this.#cache.set(keyOf(id), { revisionId, months: sumParts(own, timeZone) });
      }
    }
    const left = new Set(missing);
    const read = ids.filter((id) => !left.has(id)).flatMap((id) => this.#cache.get(keyOf(id)) ?? []);
    return { months: addUp(read), campaigns: read.length };
  }
}

function addUp(traffic: readonly CachedTraffic[]): TrafficByMonth {
  const sum: TrafficByMonth = new Map();
  for (const { months } of traffic) {
    for (const [month, verdicts] of months) {
      for (const [verdict, count] of verdicts) addTo(sum, month, verdict, count);
    }
  }
  return sum;
}

function addTo(months: TrafficByMonth, month: number, verdict: string, count: number): void {
  const verdicts = months.get(month) ?? new Map<string, number>();
  months.set(month, verdicts);
  verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + count);
}

/** Adds up the parts without listing their quarter hours, of which a campaign may have thousands. */
function sumParts(parts: readonly string[], timeZone: string): TrafficByMonth {
  const sum: TrafficByMonth = new Map();
  for (const part of parts) {
    for (const [, verdict, pairs] of entriesOfPart(part)) {
      for (let index = 0; index < pairs.length; index += 2) {
        addTo(sum, monthOf(pairs[index] as number, timeZone), verdict, pairs[index + 1] as number);
      }
    }
  }
  return sum;
}

/** Months by quarter hour and time zone: asking `Intl` takes several times as long. A year has 35,000 quarter hours. */
const knownMonths = new LRUCache<string, number>({ max: 50_000 });

/** @param quarter the number of a quarter hour since 1970 */
function monthOf(quarter: number, timeZone: string): number {
  const key = `${quarter} ${timeZone}`;
  const known = knownMonths.get(key);
  if (known !== undefined) return known;
  const month = monthNumber(dateAt(quarter * quarterHourMs, timeZone));
  knownMonths.set(key, month);
  return month;
}
