// The table `campaigns`, as far as its finished records go: JSON that is ready to be sent.

import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../database.ts";
import { inputRows, inputRowsForUpdate, isAnyOf, joinByKey, joinTexts } from "../dialect-differences.ts";
import { prepare } from "../prepare.ts";
import { renderVersionOf } from "../revisions.ts";
import type { IndexEntry } from "./index-entries.ts";

/** A finished record: its JSON and the rendering number it was made under. */
export interface RenderedRecord {
  id: number;
  record: string;
  renderVersion: number;
}

/** Records as they lie side by side in the order of the records, or those of some campaigns, given in that order. */
export type RecordSelection = { from: IndexEntry; limit: number } | { ids: readonly number[] };

/** Text that stands around records. It is joined with them, so that they need not be copied for it. */
export interface JsonEnvelope {
  before: string;
  after: string;
}

export interface JoinedRecords {
  /** The records in their order, with commas between them and the frame around them. */
  body: string;
  count: number;
  /** Whether none of them has to be rendered anew. */
  isCurrent: boolean;
  /** The state of the organization that they are of. */
  revision: number;
  timelineRevision: number;
  /** The rendering number of finished records. */
  renderVersion: number;
}

interface JoinedRow {
  body: string | null;
  count: number;
  oldest: number | null;
  newest: number | null;
  revision: number;
  timeline_revision: number;
  render_version: number;
}

const order = sql`sent_at desc, id desc`;
const columns = sql`campaigns.sent_at, campaigns.id, campaigns.record, campaigns.render_version`;

/** One statement, and so of one state, whether or not it is within a transaction. Undefined without such records. */
export async function joinRecords(
  queries: Queries,
  organizationId: number,
  which: RecordSelection,
  frame: JsonEnvelope,
): Promise<JoinedRecords | undefined> {
  const [row] = await ("ids" in which
    ? selectIds(queries, organizationId, which.ids, frame)
    : selectRun(queries, parametersOfRun(organizationId, which, frame)));
  if (!row || row.revision === null || row.body === null) return undefined;
  const renderVersion = renderVersionOf(row);
  return {
    body: row.body,
    count: row.count,
    isCurrent: row.oldest === renderVersion && row.newest === renderVersion,
    revision: row.revision,
    timelineRevision: row.timeline_revision,
    renderVersion,
  };
}

function joined(
  queries: Queries,
  organizationId: number,
  frame: JsonEnvelope,
  page: RawBuilder<unknown>,
): RawBuilder<JoinedRow> {
  const ofOrganization = (column: string) =>
    sql`(select ${sql.ref(column)} from organizations where id = ${organizationId})`;
  return sql<JoinedRow>`
    select ${joinTexts(queries, "record", order, frame)} as body, count(*) as count,
      min(render_version) as oldest, max(render_version) as newest, ${ofOrganization("revision")} as revision,
      ${ofOrganization("timeline_revision")} as timeline_revision,
      ${ofOrganization("render_version")} as render_version
    from (${page}) as page`;
}

/** By far the most pages are a run. Its parameters are those of {@link parametersOfRun}. */
const selectRun = prepare<JoinedRow>((queries) =>
  joined(
    queries,
    0,
    { before: "", after: "" },
    sql`
      select ${columns} from campaigns where organization_id = ${0} and (sent_at, id) <= (${0}, ${0})
      order by ${order} limit ${0}`,
  ).compile(queries),
);

function parametersOfRun(
  organizationId: number,
  { from, limit }: { from: IndexEntry; limit: number },
  { before, after }: JsonEnvelope,
): unknown[] {
  const ofOrganization = [organizationId, organizationId, organizationId];
  return [before, after, ...ofOrganization, organizationId, from.sentAt, from.id, limit];
}

async function selectIds(
  queries: Queries,
  organizationId: number,
  ids: readonly number[],
  frame: JsonEnvelope,
): Promise<JoinedRow[]> {
  const rows = ids.map((id) => [id]);
  const condition = sql`campaigns.organization_id = ${organizationId} and campaigns.id = input.id`;
  const input = inputRows(queries, { id: "integer" }, rows);
  const page = sql`select ${columns} ${joinByKey(queries, input, "campaigns", condition)}`;
  return (await joined(queries, organizationId, frame, page).execute(queries)).rows;
}

/** The records of these campaigns, as far as there are any, in no particular order. */
export async function findRenderedRecords(
  queries: Queries,
  organizationId: number,
  ids: readonly number[],
): Promise<RenderedRecord[]> {
  return queries
    .selectFrom("campaigns")
    .select(["id", "record", "render_version as renderVersion"])
    .where("organization_id", "=", organizationId)
    .where(isAnyOf(queries, "id", "integer", ids))
    .execute();
}

export async function saveRenderedRecords(
  queries: Queries,
  organizationId: number,
  records: readonly RenderedRecord[],
): Promise<void> {
  // By their keys, as in saveTallies.
  const ids = records.map(({ id }) => id);
  const rows = records.map(({ id, record, renderVersion }) => [id, record, renderVersion]);
  const input = inputRowsForUpdate(
    queries,
    { id: "integer", record: "text", render_version: "integer" },
    rows,
  );
  await sql`
    update campaigns set record = input.record, render_version = input.render_version
    from ${input} where campaigns.organization_id = ${organizationId} and campaigns.id = input.id
      and ${isAnyOf(queries, "campaigns.id", "integer", ids)}`.execute(queries);
}
