// Rendered records of campaigns: JSON that is ready to send.

import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../database.ts";
import { inputRows, inputRowsForUpdate, isAnyOf, joinByKey, joinTexts } from "../dialect-differences.ts";
import { prepare } from "../prepare.ts";
import { renderVersionOf } from "../revisions.ts";
import type { IndexEntry } from "./index-entries.ts";
import { checksumOf } from "./record-checksums.ts";

/** A record as JSON, and the render version that it was made under. */
export interface RenderedRecord {
  id: number;
  record: string;
  renderVersion: number;
}

/** A run of consecutive records from an entry, or the records of these campaigns. */
type RecordSelection = { from: IndexEntry; limit: number } | { ids: readonly number[] };

/** Text around the records. The database adds it, which saves a copy of the body. */
export interface JsonEnvelope {
  before: string;
  after: string;
}

interface JoinedRecords {
  /** The records in order, joined with commas, within the envelope. */
  body: string;
  count: number;
  /** Whether no record is outdated. */
  isCurrent: boolean;
  /** Of the organization, in the same snapshot. */
  revisionId: number;
  timelineRevisionId: number;
  renderVersion: number;
}

interface JoinedRow {
  body: string | null;
  count: number;
  oldest: number | null;
  newest: number | null;
  revision_id: number;
  timeline_revision_id: number;
  render_version: number;
}

const order = sql`sent_at desc, id desc`;
const columns = sql`campaigns.sent_at, campaigns.id, campaigns.record, campaigns.render_version`;

/** Joins records in a single statement, and so in a single snapshot. Undefined if there are none. */
export async function joinRecords(
  queries: Queries,
  organizationId: number,
  selection: RecordSelection,
  envelope: JsonEnvelope,
): Promise<JoinedRecords | undefined> {
  const [row] = await ("ids" in selection
    ? selectIds(queries, organizationId, selection.ids, envelope)
    : selectRun(queries, parametersOfRun(organizationId, selection, envelope)));
  if (!row || row.revision_id === null || row.body === null) return undefined;
  const renderVersion = renderVersionOf(row);
  return {
    body: row.body,
    count: row.count,
    isCurrent: row.oldest === renderVersion && row.newest === renderVersion,
    revisionId: row.revision_id,
    timelineRevisionId: row.timeline_revision_id,
    renderVersion,
  };
}

function joined(
  queries: Queries,
  organizationId: number,
  envelope: JsonEnvelope,
  page: RawBuilder<unknown>,
): RawBuilder<JoinedRow> {
  const ofOrganization = (column: string) =>
    sql`(select ${sql.ref(column)} from organizations where id = ${organizationId})`;
  return sql<JoinedRow>`
    select ${joinTexts(queries, "record", order, envelope)} as body, count(*) as count,
      min(render_version) as oldest, max(render_version) as newest, ${ofOrganization("revision_id")} as revision_id,
      ${ofOrganization("timeline_revision_id")} as timeline_revision_id,
      ${ofOrganization("render_version")} as render_version
    from (${page}) as page`;
}

/** Most pages are a run, so its statement is prepared. The parameters are those of {@link parametersOfRun}. */
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
  envelope: JsonEnvelope,
): Promise<JoinedRow[]> {
  const rows = ids.map((id) => [id]);
  const condition = sql`campaigns.organization_id = ${organizationId} and campaigns.id = input.id`;
  const input = inputRows(queries, { id: "integer" }, rows);
  const page = sql`select ${columns} ${joinByKey(queries, input, "campaigns", condition)}`;
  return (await joined(queries, organizationId, envelope, page).execute(queries)).rows;
}

/** The records of the existing ones of these campaigns, in no particular order. */
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
  // Lists the ids twice, as in saveTallies.
  const ids = records.map(({ id }) => id);
  const rows = records.map(({ id, record, renderVersion }) => [
    id,
    record,
    checksumOf(record),
    renderVersion,
  ]);
  const input = inputRowsForUpdate(
    queries,
    { id: "integer", record: "text", record_checksum: "integer", render_version: "integer" },
    rows,
  );
  await sql`
    update campaigns
    set record = input.record, record_checksum = input.record_checksum, render_version = input.render_version
    from ${input} where campaigns.organization_id = ${organizationId} and campaigns.id = input.id
      and ${isAnyOf(queries, "campaigns.id", "integer", ids)}`.execute(queries);
}
