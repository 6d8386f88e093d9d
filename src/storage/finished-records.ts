// The table `campaigns`, as far as its finished records go: JSON that is ready to be sent.

import { type RawBuilder, sql } from "kysely";
import type { Queries } from "./database.ts";
import { givenRows, isAmong, joinedTexts, lookedUp } from "./differences.ts";
import { renderingOf } from "./organizations.ts";
import type { Place } from "./places.ts";

/** A finished record: its JSON and the rendering number it was made under. */
export interface FinishedRecord {
  id: number;
  record: string;
  rendering: number;
}

/** Records as they lie side by side in the order of the records, or those of some campaigns, given in that order. */
export type WhichRecords = { from: Place; limit: number } | { ids: readonly number[] };

/** Text that stands around records. It is joined with them, so that they need not be copied for it. */
export interface Frame {
  before: string;
  after: string;
}

export interface JoinedRecords {
  /** The records in their order, with commas between them and the frame around them. */
  body: string;
  count: number;
  /** Whether none of them has to be rendered anew. */
  isFinished: boolean;
  /** The state of the organization that they are of. */
  revision: number;
  timelineRevision: number;
  /** The rendering number of finished records. */
  rendering: number;
}

interface Row {
  body: string | null;
  count: number;
  oldest: number | null;
  newest: number | null;
  revision: number;
  timeline_revision: number;
  rendering: number;
}

const order = sql`sent_at desc, id desc`;

/** One statement, and so of one state, whether or not it is within a transaction. Undefined without such records. */
export async function joinRecords(
  queries: Queries,
  organizationId: number,
  which: WhichRecords,
  frame: Frame,
): Promise<JoinedRecords | undefined> {
  const ofOrganization = (column: string) =>
    sql`(select ${sql.ref(column)} from organizations where id = ${organizationId})`;
  const { rows } = await sql<Row>`
    select ${joinedTexts(queries, "record", order, frame)} as body, count(*) as count,
      min(rendering) as oldest, max(rendering) as newest, ${ofOrganization("revision")} as revision,
      ${ofOrganization("timeline_revision")} as timeline_revision,
      ${ofOrganization("rendering")} as rendering
    from (${selected(queries, organizationId, which)}) as page`.execute(queries);
  const [row] = rows;
  if (!row || row.revision === null || row.body === null) return undefined;
  const rendering = renderingOf(row);
  return {
    body: row.body,
    count: row.count,
    isFinished: row.oldest === rendering && row.newest === rendering,
    revision: row.revision,
    timelineRevision: row.timeline_revision,
    rendering,
  };
}

function selected(queries: Queries, organizationId: number, which: WhichRecords): RawBuilder<unknown> {
  const columns = sql`campaigns.sent_at, campaigns.id, campaigns.record, campaigns.rendering`;
  if ("ids" in which) {
    const rows = which.ids.map((id) => [id]);
    const condition = sql`campaigns.organization_id = ${organizationId} and campaigns.id = given.id`;
    const given = givenRows(queries, { id: "integer" }, rows);
    return sql`select ${columns} ${lookedUp(queries, given, "campaigns", condition)}`;
  }
  const { from, limit } = which;
  return sql`
    select ${columns} from campaigns
    where organization_id = ${organizationId} and (sent_at, id) <= (${from.sentAt}, ${from.id})
    order by ${order} limit ${limit}`;
}

/** The records of these campaigns, as far as there are any, in no particular order. */
export async function findFinishedRecords(
  queries: Queries,
  organizationId: number,
  ids: readonly number[],
): Promise<FinishedRecord[]> {
  return queries
    .selectFrom("campaigns")
    .select(["id", "record", "rendering"])
    .where("organization_id", "=", organizationId)
    .where(isAmong(queries, "id", "integer", ids))
    .execute();
}

export async function saveFinishedRecords(
  queries: Queries,
  organizationId: number,
  records: readonly FinishedRecord[],
): Promise<void> {
  // By their keys, as in saveTallies.
  const ids = records.map(({ id }) => id);
  const rows = records.map(({ id, record, rendering }) => [id, record, rendering]);
  const given = givenRows(queries, { id: "integer", record: "text", rendering: "integer" }, rows);
  await sql`
    update campaigns set record = given.record, rendering = given.rendering
    from ${given} where campaigns.organization_id = ${organizationId} and campaigns.id = given.id
      and ${isAmong(queries, "campaigns.id", "integer", ids)}`.execute(queries);
}
