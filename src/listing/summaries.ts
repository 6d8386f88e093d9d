// The sums that are remembered between requests, each under the revision it is of.

import type { Database } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";
import { shareOut } from "../take-turns.ts";
import { sentBy } from "./batches.ts";
import { Remembered } from "./remembered.ts";
import { type Filter, type MonthlySums, summarize } from "./summarize.ts";
import type { Timeline } from "./timeline.ts";

/** Months: about half a megabyte for each thousand. */
const bounds = {
  sizeOf: ({ length }: readonly MonthlySums[]) => length,
  sizeMax: 10_000,
  entriesMax: 200,
};

export class Summaries {
  readonly #takeTurn = shareOut({
    atOnce: 1,
    waitingMax: 20,
    whenFull: "Too many overviews are being made at this moment. Try again shortly.",
  });
  readonly #database: Database;
  readonly #remembered: Remembered<readonly MonthlySums[]>;

  constructor(database: Database) {
    this.#database = database;
    this.#remembered = new Remembered(database, bounds);
  }

  /**
   * The sums of the campaigns that were sent by `now`, as they are now, or were when the organization was read.
   *
   * @param timeline of the organization, no older than that
   */
  of(
    organization: Organization,
    timeline: Timeline,
    filter: Filter,
    now: number,
  ): Promise<readonly MonthlySums[]> {
    const sent = { ...filter, choice: sentBy(filter.choice, now) };
    return this.#remembered.of(organization, nameOf(timeline, sent), () =>
      this.#takeTurn(() => summarize(this.#database, organization, timeline, sent)),
    );
  }
}

/** The same for all that have the same sums; a campaign whose time comes changes them without any change of the data. */
function nameOf(timeline: Timeline, { choice, team }: Filter): string {
  const { sentFrom = Number.NEGATIVE_INFINITY, sentUntil = Number.POSITIVE_INFINITY, tagIds } = choice;
  const tags = tagIds?.toSorted((a, b) => a - b).join();
  return JSON.stringify([String(sentFrom), timeline.around(sentUntil).before, tags, team]);
}
