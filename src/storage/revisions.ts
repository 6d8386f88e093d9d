// The revisions of an organization: which of them a change raises. Everything cached is cached under a revision id.

import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { timeZoneDataNumber, timeZoneDataNumbers } from "../campaign/calendar/time-zone-data.ts";
import { recordFormat } from "../campaign/email-record.ts";
import {
  addTimelineChange,
  type DeletedRow,
  deleteOldTimelineChanges,
} from "./campaigns/timeline-changes.ts";
import type { Queries } from "./database.ts";
import type { OrganizationsTable } from "./tables.ts";

/**
 * What a transaction changed. Every change raises the revision; some raise another one as well:
 * - `content`: what single campaigns or pages show;
 * - `allRecords`: what every record shows (time zone, counted traffic, a tag), so the render version is raised;
 * - `timeline`: which campaigns exist, when they were sent or which tags they have, so the timeline revision is raised.
 *   Added and changed campaigns store the returned revision; a deleted campaign or tag is listed in `timeline_changes`.
 *   A deleted tag also changes records.
 *
 * Campaigns whose record changes store the returned revision (`saveCampaignRevisions`), also deleted ones. A change of
 * all records needs no more than `allRecords`.
 */
type RevisedData = "content" | "allRecords" | "timeline" | DeletedRow;

/**
 * Raises the revisions of an organization. Call it in the transaction of any change that a reader could see. A revision is
 * at least the current time. After a backup was restored it may repeat if a clock was wrong, but its id does not.
 *
 * @param now milliseconds since 1970
 * @returns the new revision, which is also the new timeline revision if that was raised
 */
export async function raiseRevisions(
  queries: Queries,
  organizationId: number,
  change: RevisedData,
  now: number,
): Promise<number> {
  const deleted = typeof change === "object" ? change : undefined;
  const changesTimeline = change === "timeline" || deleted !== undefined;
  const changesAllRecords = change === "allRecords" || (deleted !== undefined && "tagId" in deleted);
  // Before the update: it keeps the change of the current timeline revision, which cached timelines may still have.
  if (changesTimeline) await deleteOldTimelineChanges(queries, organizationId, now);
  const next = sql<number>`case when revision >= ${now} then revision + 1 else ${now} end`;
  const revisionId = newRandomId();
  const { revision } = await queries
    .updateTable("organizations")
    .set((set) => ({
      revision: next,
      revision_id: revisionId,
      ...(changesTimeline && { timeline_revision: next, timeline_revision_id: revisionId }),
      ...(changesAllRecords && { render_version: set("render_version", "+", 1), render_revision: next }),
    }))
    .where("id", "=", organizationId)
    .returning("revision")
    .executeTakeFirstOrThrow();
  if (changesTimeline) await addTimelineChange(queries, organizationId, { revision, revisionId }, deleted);
  return revision;
}

/** A number below 2^48 that no other state of the organization has, even one that was lost by restoring a backup. */
export function newRandomId(): number {
  return randomInt(2 ** 48 - 1);
}

/** The version of the program's time zone data changes how a record shows its send time. */
const timeZoneData = timeZoneDataNumber(process.versions.tz);

/** The part of a render version that depends on the program: the record format and the time zone data. */
const programVersion = recordFormat * timeZoneDataNumbers + timeZoneData;
/** The organization's own part counts in steps of this size, which leaves room for 1,000 record formats. */
export const programVersions = 1_000 * timeZoneDataNumbers;

/** The render version of records that this program renders now for the organization. */
export function renderVersionOf({ render_version }: Pick<OrganizationsTable, "render_version">): number {
  return render_version * programVersions + programVersion;
}

/** Whether a version of the program rendered a record whose records or time zones may differ from those of this one. */
export function isOfOtherProgram(renderVersion: number): boolean {
  return renderVersion % programVersions !== programVersion;
}

/** {@link renderVersionOf} in SQL, for a statement that has the table `organizations`. */
export const currentRenderVersion = sql<number>`organizations.render_version * ${sql.lit(programVersions)} + ${sql.lit(programVersion)}`;
