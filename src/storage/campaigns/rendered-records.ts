// The table `records`: the rendered record of each campaign, JSON that is ready to send, in the order of pages.

import { type RawBuilder, sql } from "kysely";
import { chunks, type Queries } from "../database.ts";
import {
  fromInputOf,
  hasTextsOfAll,
  inputRows,
  joinByKey,
  repeatRange,
  unionOfTexts,
} from "../dialect-differences.ts";
import { prepareColumn } from "../prepare.ts";
import { renderVersionOf } from "../revisions.ts";
import type { IndexEntry } from "./index-entries.ts";

/** A record as JSON, and the render version that it was made under. */
export interface RenderedRecord extends IndexEntry {
  record: string;
  renderVersion: number;
}

/** All records from one entry to another, or those of these entries; newest first. */
type RecordSelection =
  | { newest: IndexEntry; oldest: IndexEntry; count: number }
  | { entries: readonly IndexEntry[] };

/** Records and the state of the organization, in the same snapshot. */
interface CurrentRecords {
  /** Joined with commas, they are the records in order. Undefined if one is missing or has another render version. */
  texts: string[] | undefined;
  revisionId: number;
  timelineRevisionId: number;
  renderVersion: number;
}

/**
 * Reads records of one render version in a single statement, and so in a single snapshot.
 *
 * @returns undefined if the organization does not exist
 */
export async function findCurrentRecords(
  queries: Queries,
  organizationId: number,
  renderVersion: number,
  selection: RecordSelection,
): Promise<CurrentRecords | undefined> {
  const isRun = "newest" in selection;
  const [state, ...texts] = isRun
    ? await selectRun(queries, parametersOfRun(queries, organizationId, renderVersion, selection))
    : await selectEntries(queries, organizationId, renderVersion, selection.entries);
  if (state === undefined) return undefined;
  const [revisionId, timelineRevisionId, render_version] = state.split(" ").map(Number) as NumbersOfState;
  const count = isRun ? selection.count : selection.entries.length;
  return {
    texts: hasTextsOfAll(queries, texts, count) ? texts : undefined,
    revisionId,
    timelineRevisionId,
    renderVersion: renderVersionOf({ render_version }),
  };
}

type NumbersOfState = [revisionId: number, timelineRevisionId: number, renderVersion: number];
type TextRow = { text: string };

const order = sql`sent_at desc, campaign_id desc`;
const columns = sql`records.record as text, records.sent_at, records.campaign_id`;

/** @param records selects {@link columns}, on SQLite in the order of the result */
function withState(
  queries: Queries,
  organizationId: number,
  records: RawBuilder<unknown>,
  count: number,
): RawBuilder<TextRow> {
  const state = sql`
    select revision_id || ' ' || timeline_revision_id || ' ' || render_version as text
    from organizations where id = ${organizationId}`;
  return sql<TextRow>`${unionOfTexts(queries, state, records, { order, count })}`;
}

/** Most pages are a run, so its statement is prepared. The parameters are those of {@link parametersOfRun}. */
const selectRun = prepareColumn<string>((queries) =>
  withState(
    queries,
    0,
    sql`
      select ${columns} from records where organization_id = ${0} and (sent_at, campaign_id) <= (${0}, ${0})
        and (sent_at, campaign_id) >= (${0}, ${0}) and render_version = ${0}
        ${repeatRange(queries, "sent_at", 0, 0).condition} order by ${order}`,
    0,
  ).compile(queries),
);

function parametersOfRun(
  queries: Queries,
  organizationId: number,
  renderVersion: number,
  { newest, oldest, count }: { newest: IndexEntry; oldest: IndexEntry; count: number },
): unknown[] {
  const range = [newest.sentAt, newest.id, oldest.sentAt, oldest.id];
  const { parameters } = repeatRange(queries, "sent_at", oldest.sentAt, newest.sentAt);
  return [organizationId, organizationId, ...range, renderVersion, ...parameters, count];
}

async function selectEntries(
  queries: Queries,
  organizationId: number,
  renderVersion: number,
  entries: readonly IndexEntry[],
): Promise<string[]> {
  const records = sql`
    select ${columns} ${joinEntries(queries, organizationId, entries)} and records.render_version = ${renderVersion}`;
  const statement = withState(queries, organizationId, records, entries.length);
  return (await statement.execute(queries)).rows.map(({ text }) => text);
}

/** A `from` clause with the records of entries. */
export function joinEntries(queries: Queries, organizationId: number, entries: readonly IndexEntry[]) {
  const rows = entries.map(({ sentAt, id }) => [sentAt, id]);
  const condition = sql`records.organization_id = ${organizationId}
    and records.sent_at = input.sent_at and records.campaign_id = input.campaign_id`;
  const input = inputRows(queries, { sent_at: "integer", campaign_id: "integer" }, rows);
  return joinByKey(queries, input, "records", condition);
}

/** The records of the existing ones of these campaigns, of any render version, in no particular order. */
export async function findRenderedRecords(
  queries: Queries,
  organizationId: number,
  entries: readonly IndexEntry[],
): Promise<RenderedRecord[]> {
  const { rows } = await sql<RenderedRecord>`
    select records.sent_at as "sentAt", records.campaign_id as id, records.record,
      records.render_version as "renderVersion" ${joinEntries(queries, organizationId, entries)}`.execute(
    queries,
  );
  return rows;
}

/** Inserts or replaces records. */
export async function saveRenderedRecords(
  queries: Queries,
  organizationId: number,
  records: readonly RenderedRecord[],
): Promise<void> {
  for (const some of chunks(records)) {
    const rows = some.map(({ sentAt, id, record, renderVersion }) => [sentAt, id, renderVersion, record]);
    const types = { render_version: "integer", record: "text" } as const;
    const input = inputRows(queries, { sent_at: "integer", campaign_id: "integer", ...types }, rows);
    await sql`
      insert into records (organization_id, sent_at, campaign_id, render_version, record)
      select organizations.id, input.sent_at, input.campaign_id, input.render_version, input.record
      ${fromInputOf(organizationId, input)}
      on conflict (organization_id, sent_at, campaign_id) do update set
        render_version = excluded.render_version, record = excluded.record`.execute(queries);
  }
}

/** Deletes the records of campaigns that are deleted, or move to another send time. */
export async function deleteRenderedRecords(
  queries: Queries,
  organizationId: number,
  entries: readonly IndexEntry[],
): Promise<void> {
  for (const { sentAt, id } of entries) {
    await queries
      .deleteFrom("records")
      .where("organization_id", "=", organizationId)
      .where("sent_at", "=", sentAt)
      .where("campaign_id", "=", id)
      .execute();
  }
}
