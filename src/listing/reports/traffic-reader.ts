// All traffic of counted campaigns by verdict. What a campaign adds is cached until it changes.

import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { entriesOfPart } from "../../campaign/events/hour-counts.ts";
import { findHourPartsOfCampaigns } from "../../storage/campaigns/campaign-hours.ts";
import { findChangesOf } from "../../storage/campaigns/changes.ts";
import type { Database } from "../../storage/queries/database.ts";

/** Opens and clicks by verdict. */
type VerdictCounts = ReadonlyMap<string, number>;

const maxCampaigns = 4_000;
/** Decoding so many campaigns does not block the event loop for long. */
const campaignsPerQuery = 5;
/** Decoding a part, which has about a thousand characters, takes some microseconds. The next call goes on. */
const maxPartsPerCall = 1_000;

export class TrafficReader {
  readonly #database: Database;
  readonly #cache = new LRUCache<string, { revisionId: number; verdicts: VerdictCounts }>({
    max: maxCampaigns,
  });

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The traffic of counted campaigns, the most frequent verdicts first. A call decodes a limited part of the uncached ones,
   * so the first ones may leave out the last campaigns of the list.
   *
   * @param ids with a thousand entries at most
   * @returns also how many campaigns it comes from
   */
  async read(
    organizationId: number,
    ids: readonly number[],
  ): Promise<{ verdicts: [verdict: string, count: number][]; campaigns: number }> {
    const changes = await this.#database.queryOf(organizationId, (scope) => findChangesOf(scope, ids));
    const keyOf = (id: number) => `${organizationId} ${id}`;
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
        if (revisionId !== undefined) this.#cache.set(keyOf(id), { revisionId, verdicts: sumParts(own) });
      }
    }
    const left = new Set(missing);
    const read = ids.filter((id) => !left.has(id)).flatMap((id) => this.#cache.get(keyOf(id)) ?? []);
    const sums = addUp(read.flatMap(({ verdicts }) => [...verdicts]));
    const verdicts = [...sums].filter(([, count]) => count > 0).sort(([, one], [, other]) => other - one);
    return { verdicts, campaigns: read.length };
  }
}

function addUp(counts: Iterable<readonly [verdict: string, count: number]>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [verdict, count] of counts) sums.set(verdict, (sums.get(verdict) ?? 0) + count);
  return sums;
}

/** Adds up the parts without listing their quarter hours, of which a campaign may have thousands. */
function sumParts(parts: readonly string[]): VerdictCounts {
  return addUp(
    parts.flatMap((part) =>
      [...entriesOfPart(part)].map(([, verdict, pairs]): [string, number] => [
        verdict,
        pairs.reduce((sum, value, index) => sum + (index % 2 === 0 ? 0 : value), 0),
      ]),
    ),
  );
}
