// The sums that are remembered between requests, each under the revision it is of.

import type { Database } from "../storage/database.ts";
import { findOrganization, type Organization } from "../storage/organizations.ts";
import { sentBy } from "./batches.ts";
import { type Filter, type MonthlySums, summarize } from "./summarize.ts";
import type { Timeline } from "./timeline.ts";

/** About half a megabyte for each thousand. */
const monthsMax = 10_000;
const entriesMax = 200;

export class Summaries {
  readonly #database: Database;
  /** Those that were asked for last at the end. */
  readonly #known = new Map<string, readonly MonthlySums[]>();
  readonly #underWay = new Map<string, Promise<readonly MonthlySums[]>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The sums of the campaigns that were sent by `now`, as they are now, or were when the organization was read.
   *
   * @param timeline of the organization, no older than that
   */
  async of(
    organization: Organization,
    timeline: Timeline,
    filter: Filter,
    now: number,
  ): Promise<readonly MonthlySums[]> {
    const sent = { ...filter, choice: sentBy(filter.choice, now) };
    const name = nameOf(organization, timeline, sent);
    const known = this.#known.get(name);
    if (known) {
      this.#known.delete(name);
      this.#known.set(name, known);
      return known;
    }
    const underWay = this.#underWay.get(name) ?? this.#make(name, organization, timeline, sent);
    this.#underWay.set(name, underWay);
    return underWay;
  }

  async #make(
    name: string,
    organization: Organization,
    timeline: Timeline,
    filter: Filter,
  ): Promise<readonly MonthlySums[]> {
    const { id, revision } = organization;
    try {
      const months = await summarize(this.#database, organization, timeline, filter);
      const now = await this.#database.look((queries) => findOrganization(queries, id));
      // What was changed while it was read is of no one state.
      if (now?.revision === revision) this.#keep(name, months);
      return months;
    } finally {
      this.#underWay.delete(name);
    }
  }

  #keep(name: string, months: readonly MonthlySums[]): void {
    this.#known.set(name, months);
    let total = [...this.#known.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [oldest, { length }] of this.#known) {
      if (total <= monthsMax && this.#known.size <= entriesMax) return;
      this.#known.delete(oldest);
      total -= length;
    }
  }
}

/** The same for all that have the same sums; a campaign whose time comes changes them without any change of the data. */
function nameOf({ id, revision }: Organization, timeline: Timeline, { choice, team }: Filter): string {
  const { sentFrom = Number.NEGATIVE_INFINITY, sentUntil = Number.POSITIVE_INFINITY, tagIds } = choice;
  const tags = tagIds?.toSorted((a, b) => a - b).join();
  return JSON.stringify([id, revision, String(sentFrom), timeline.around(sentUntil).before, tags, team]);
}
