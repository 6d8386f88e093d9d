// Finds changed campaigns in the order of their changes. Some change without a write: a change of all records writes none
// of them, and a campaign registered ahead appears when its send time comes. So five ranges of rows are merged.

import { type RawBuilder, sql } from "kysely";
import { largestInteger } from "../../campaign/field-schema.ts";
import type { Queries } from "../database.ts";
import type { Organization } from "../organizations.ts";

/** What a client lacks that has seen all changes up to a revision and a time. */
export interface ChangesWindow {
  /** Changes after the first revision, up to and including the second. */
  afterRevision: number;
  untilRevision: number;
  /** Campaigns whose send time came after the first time, up to and including the second. Later ones do not exist yet. */
  afterTime: number;
  untilTime: number;
}

/** The position of a change. */
export interface ChangeKey {
  /** The revision at which the record last changed, or the send time of the campaign if that came later. */
  updatedAt: number;
  id: number;
}

export interface Change extends ChangeKey {
  /** Undefined if the campaign is deleted or not sent yet. */
  sentAt: number | undefined;
}

interface RevisionRow {
  id: number;
  revision: number;
  sentAt: number | null;
}

/** Rows of one range, in the order of their changes. */
interface RevisionRange {
  where: readonly RawBuilder<unknown>[];
  order: RawBuilder<unknown>;
}

interface RangeOptions extends ChangesWindow {
  organizationId: number;
  renderRevision: number;
  after: ChangeKey;
}

/** The changes of a window after a position, each campaign once, by `updatedAt`, then id. */
export async function findChanges(
  queries: Queries,
  { id: organizationId, renderRevision }: Pick<Organization, "id" | "renderRevision">,
  window: ChangesWindow,
  { after, limit }: { after: ChangeKey; limit: number },
): Promise<Change[]> {
  const ranges = rangesOf({ ...window, organizationId, renderRevision, after }).map(
    ({ where, order }) => sql`
      select * from (
        select campaign_id as id, revision, sent_at as "sentAt" from campaign_revisions
        where organization_id = ${organizationId} and ${sql.join(where, sql` and `)}
        order by ${order} limit ${limit}) as "range"`,
  );
  const { rows } = await sql<RevisionRow>`${sql.join(ranges, sql` union all `)}`.execute(queries);
  return rows
    .map((row) => toChange(row, renderRevision, window))
    .sort((a, b) => a.updatedAt - b.updatedAt || a.id - b.id)
    .slice(0, limit);
}

function toChange(
  { id, revision, sentAt }: RevisionRow,
  renderRevision: number,
  { untilTime }: ChangesWindow,
): Change {
  if (sentAt === null) return { id, updatedAt: revision, sentAt: undefined };
  const changedAt = Math.max(revision, renderRevision);
  return sentAt > untilTime
    ? { id, updatedAt: changedAt, sentAt: undefined }
    : { id, updatedAt: Math.max(changedAt, sentAt), sentAt };
}

function rangesOf(options: RangeOptions): RevisionRange[] {
  const { renderRevision, afterRevision, untilRevision, afterTime } = options;
  // All records changed after the window was fixed, so all campaigns are in the next one.
  if (renderRevision > untilRevision) return [deleted(options)];
  const areAllChanged = renderRevision > afterRevision;
  return [
    deleted(options),
    written(options),
    appeared(options),
    ...(areAllChanged ? [rendered(options)] : []),
    // Only where revisions are ahead of the clock.
    ...(afterTime < afterRevision && !areAllChanged ? [appearedBefore(options)] : []),
  ];
}

const byRevision = sql`revision, campaign_id`;
const bySentAt = sql`sent_at, campaign_id`;

/** After a position, but not before the start of the range. One condition only: SQLite uses one lower bound of an index. */
function startingAfter(order: RawBuilder<unknown>, start: number, { updatedAt, id }: ChangeKey) {
  return updatedAt > start
    ? sql`(${order}) > (${updatedAt}, ${id})`
    : sql`(${order}) > (${start}, ${largestInteger})`;
}

function deleted({ afterRevision, untilRevision, after }: RangeOptions): RevisionRange {
  return {
    where: [
      sql`sent_at is null`,
      startingAfter(byRevision, afterRevision, after),
      sql`revision <= ${untilRevision}`,
    ],
    order: byRevision,
  };
}

/** Campaigns that were written after all records changed. */
function written({
  renderRevision,
  afterRevision,
  untilRevision,
  untilTime,
  after,
}: RangeOptions): RevisionRange {
  return {
    where: [
      sql`sent_at is not null`,
      startingAfter(byRevision, Math.max(afterRevision, renderRevision), after),
      sql`revision <= ${untilRevision}`,
      sql`(sent_at <= revision or sent_at > ${untilTime})`,
    ],
    order: byRevision,
  };
}

/** Campaigns that were last written before all records changed: they have the same revision now. */
function rendered({ renderRevision, untilTime, after }: RangeOptions): RevisionRange {
  const afterId = after.updatedAt < renderRevision ? 0 : after.updatedAt > renderRevision ? null : after.id;
  return {
    where: [
      sql`sent_at is not null`,
      sql`campaign_id > ${afterId ?? largestInteger}`,
      // The sign keeps databases from reading by revision instead of in order.
      sql`+revision <= ${renderRevision}`,
      sql`(sent_at <= ${renderRevision} or sent_at > ${untilTime})`,
    ],
    order: sql`campaign_id`,
  };
}

/** Campaigns whose send time came after their last change. */
function appeared(options: RangeOptions): RevisionRange {
  const { renderRevision, afterRevision, untilRevision, afterTime, untilTime, after } = options;
  const areAllChanged = renderRevision > afterRevision;
  return {
    where: [
      sql`sent_at > revision`,
      startingAfter(bySentAt, Math.max(Math.min(afterRevision, afterTime), renderRevision), after),
      sql`sent_at <= ${untilTime}`,
      sql`revision <= ${untilRevision}`,
      ...(areAllChanged ? [] : [sql`(revision > ${afterRevision} or sent_at > ${afterTime})`]),
    ],
    order: bySentAt,
  };
}

/** Campaigns whose send time came, but which have a later revision that is not new. */
function appearedBefore(options: RangeOptions): RevisionRange {
  const { organizationId, renderRevision, afterRevision, afterTime, untilTime, after } = options;
  const changedAt = sql`case when revision > ${renderRevision} then revision else ${renderRevision} end`;
  return {
    where: [
      // The index is that of the campaigns.
      sql`campaign_id in (
        select id from campaigns where organization_id = ${organizationId}
          and sent_at > ${afterTime} and sent_at <= ${Math.min(untilTime, afterRevision)})`,
      sql`revision <= ${afterRevision}`,
      sql`(sent_at <= revision or sent_at <= ${renderRevision})`,
      sql`(${changedAt}, campaign_id) > (${after.updatedAt}, ${after.id})`,
    ],
    order: sql`${changedAt}, campaign_id`,
  };
}
