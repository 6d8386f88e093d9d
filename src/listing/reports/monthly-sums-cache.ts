// The sums that are remembered between requests, each under the revision it is of.

import { limitConcurrency } from "../../limits/limit-concurrency.ts";
import type { Database } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { RevisionCache } from "../revision-cache.ts";
import { excludeScheduled } from "../timeline/batches.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { type MonthlySums, type ReportFilter, sumByMonth } from "./monthly-sums.ts";

/** Months: about half a megabyte for each thousand. */
const bounds = {
  sizeOf: ({ length }: readonly MonthlySums[]) => length,
  sizeMax: 10_000,
  entriesMax: 200,
};

export class MonthlySumsCache {
  readonly #limit = limitConcurrency({
    concurrency: 1,
    maxWaiting: 20,
    fullMessage: "Too many overviews are loading right now. Try again in a moment.",
  });
  readonly #database: Database;
  readonly #remembered: RevisionCache<readonly MonthlySums[]>;

  constructor(database: Database) {
    this.#database = database;
    this.#remembered = new RevisionCache(database, bounds);
  }

  /**
   * The sums of the campaigns that were sent by `now`, as they are now, or were when the organization was read.
   *
   * @param timeline of the organization, no older than that
   */
  get(
    organization: Organization,
    timeline: Timeline,
    filter: ReportFilter,
    now: number,
  ): Promise<readonly MonthlySums[]> {
    const sent = { ...filter, selection: excludeScheduled(filter.selection, now) };
    return this.#remembered.get(organization, nameOf(timeline, sent), () =>
      this.#limit(() => sumByMonth(this.#database, organization, timeline, sent)),
    );
  }
}

/** The same for all that have the same sums; a campaign whose time comes changes them without any change of the data. */
function nameOf(timeline: Timeline, { selection, team }: ReportFilter): string {
  const { sentFrom = Number.NEGATIVE_INFINITY, sentUntil = Number.POSITIVE_INFINITY, tagIds } = selection;
  const tags = tagIds?.toSorted((a, b) => a - b).join();
  return JSON.stringify([String(sentFrom), timeline.around(sentUntil).before, tags, team]);
}
