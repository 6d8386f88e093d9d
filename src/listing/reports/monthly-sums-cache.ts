// A cache of monthly sums.

import { limitConcurrency } from "../../limits/limit-concurrency.ts";
import type { Database } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { RevisionCache } from "../revision-cache.ts";
import { excludeScheduled } from "../timeline/batches.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { type MonthlySums, type ReportFilter, sumByMonth } from "./monthly-sums.ts";

/** In months: a thousand take about 0.5 MB. */
const cacheLimits = {
  sizeOf: ({ length }: readonly MonthlySums[]) => length,
  maxSize: 10_000,
  maxEntries: 200,
};

export class MonthlySumsCache {
  readonly #limit = limitConcurrency({
    concurrency: 1,
    maxWaiting: 20,
    fullMessage: "Too many overviews are loading right now. Try again in a moment.",
  });
  readonly #database: Database;
  readonly #cache: RevisionCache<readonly MonthlySums[]>;

  constructor(database: Database) {
    this.#database = database;
    this.#cache = new RevisionCache(database, cacheLimits);
  }

  /**
   * The sums of campaigns sent by `now`.
   *
   * @param timeline of the organization, at its revision or a later one
   * @throws AppError `unavailable` if too many callers are waiting
   */
  get(
    organization: Organization,
    timeline: Timeline,
    filter: ReportFilter,
    now: number,
  ): Promise<readonly MonthlySums[]> {
    const sent = { ...filter, selection: excludeScheduled(filter.selection, now) };
    return this.#cache.get(organization, keyOf(timeline, sent), () =>
      this.#limit(() => sumByMonth(this.#database, organization, timeline, sent)),
    );
  }
}

/**
 * Equal for filters with equal sums. When a scheduled campaign becomes due, the sums change but no revision does: so
 * instead of `sentUntil` the key has the time of the last campaign before it.
 */
function keyOf(timeline: Timeline, { selection, team }: ReportFilter): string {
  const { sentFrom = Number.NEGATIVE_INFINITY, sentUntil = Number.POSITIVE_INFINITY, tagIds } = selection;
  const tags = tagIds?.toSorted((a, b) => a - b).join();
  return JSON.stringify([String(sentFrom), timeline.around(sentUntil).lastSentAt, tags, team]);
}
