// The table `emails`: each campaign that was sent, as its typed record and as JSON that is ready to send, in the order of pages.

import { type RawBuilder, sql } from "kysely";
import { type FeedField, feedFieldNames, feedFields } from "../../campaign/feed/feed-fields.ts";
import type { TypedRecord } from "../../campaign/feed/typed-record.ts";
import type { RecordField } from "../../campaign/record-fields.ts";
import { inputRowsForUpdate, isAnyOf } from "../queries/dialect-differences.ts";
import { upsertInto } from "../queries/insert-rows.ts";
import type { Scope } from "../queries/scope.ts";
import type { Tables } from "../tables/tables.ts";

/** The position of a campaign in the order of the records. */
export interface EmailKey {
  sentAt: number;
  id: number;
}

/** A row to publish. */
export type PublishedEmail = Omit<Tables["emails"], "organization_id">;

/** Inserts or replaces emails. */
export const saveEmails = upsertInto("emails");

/** The keys of those of these campaigns that are published. */
export async function findEmailKeys(scope: Scope, ids: readonly number[]): Promise<EmailKey[]> {
  return scope.from("emails", { id: ids }).select(["sent_at as sentAt", "id"]).execute();
}

/** Saves the tags of emails, of which nothing else changes. */
export async function saveTagsOfEmails(
  scope: Scope,
  emails: readonly (EmailKey & Pick<PublishedEmail, "tags" | "tag_names">)[],
  updatedAt: number,
): Promise<void> {
  const columns = { sent_at: "integer", id: "integer", tags: "text", tag_names: "text" } as const;
  const rows = emails.map(({ sentAt, id, tags, tag_names }) => [sentAt, id, tags, tag_names]);
  // Only the key of the record has its quotes: those inside of texts are escaped.
  await sql`
    update emails set record = replace(record, '"tags":' || emails.tags, '"tags":' || input.tags),
      tags = input.tags, tag_names = input.tag_names, updated_at = ${updatedAt}
    from ${inputRowsForUpdate(scope, columns, rows)}
    where emails.organization_id = ${scope.organizationId} and emails.sent_at = input.sent_at
      and emails.id = input.id`.execute(scope);
}

/** Deletes the emails of campaigns that are deleted, or move to another send time. */
export async function deleteEmails(scope: Scope, keys: readonly EmailKey[]): Promise<void> {
  for (const { sentAt, id } of keys) {
    await scope.deleteRows("emails", { sent_at: sentAt, id });
  }
}

/** The published rows of these campaigns, in no particular order, for checks. */
export async function findPublishedEmails(scope: Scope, ids: readonly number[]): Promise<PublishedEmail[]> {
  return scope
    .from("emails", { id: ids })
    .select([...feedFieldNames, "record"])
    .execute();
}

/** The typed records of these campaigns, by id; without those that are not published. */
export async function findTypedRecords(
  scope: Scope,
  ids: readonly number[],
): Promise<Map<number, TypedRecord>> {
  const rows: TypedRecord[] = await scope.from("emails", { id: ids }).select(feedFieldNames).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Which campaigns a reader wants. */
export interface EmailSelection {
  /** The campaign was sent at this instant or later. */
  sentFrom?: number | undefined;
  /** The campaign was sent before this instant. */
  sentUntil?: number | undefined;
  /** The campaign has at least one of these tags. */
  tagIds?: readonly number[] | undefined;
}

/** The next typed records of a selection, newest first: those after a key. */
export async function findSelectedRecords(
  scope: Scope,
  { sentUntil = Number.MAX_SAFE_INTEGER, ...selection }: EmailSelection,
  { after = { sentAt: sentUntil, id: 0 }, limit }: { after?: EmailKey | undefined; limit: number },
): Promise<TypedRecord[]> {
  // One upper bound: with two of them, SQLite may search by the wrong one and read all rows of earlier batches again.
  return scope
    .from("emails")
    .select(feedFieldNames)
    .where(conditionOf(scope, { ...selection, order: [] }))
    .where(sql<boolean>`(sent_at, id) < (${after.sentAt}, ${after.id})`)
    .orderBy("sent_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** A field to sort by, its direction, and the value of the last row that the caller has. */
interface EmailOrder {
  field: FeedField;
  direction: "asc" | "desc";
  /** Instants are milliseconds since 1970. */
  after?: string | number | null | undefined;
}

interface SortedSelection extends EmailSelection {
  /** Ids from one until before another. */
  ids?: { from: number; until: number } | undefined;
  order: readonly EmailOrder[];
  skip?: number | undefined;
  limit?: number | undefined;
}

/** The ids of a selection in any order. Null comes before all other values. */
export async function findSortedIds(scope: Scope, selection: SortedSelection): Promise<number[]> {
  const { order, skip = 0, limit } = selection;
  const terms = order.flatMap(({ field, direction }) => {
    const column = sql.ref(field);
    const isNull = sql`${column} is not null ${sql.raw(direction)}`;
    return (feedFields[field] as RecordField).nullMeans
      ? [isNull, sql`${column} ${sql.raw(direction)}`]
      : [sql`${column} ${sql.raw(direction)}`];
  });
  const { rows } = await sql<{ id: number }>`
    select id from emails where ${conditionOf(scope, selection)}
    order by ${sql.join(terms)} limit ${limit ?? Number.MAX_SAFE_INTEGER} offset ${skip}`.execute(scope);
  return rows.map(({ id }) => id);
}

/** The number of campaigns in a selection. */
export async function countEmails(scope: Scope, selection: Omit<SortedSelection, "order">): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from emails
    where ${conditionOf(scope, { ...selection, order: [] })}`.execute(scope);
  return Number(rows[0]?.count);
}

function conditionOf(
  scope: Scope,
  { sentFrom, sentUntil, tagIds, ids, order }: SortedSelection,
): RawBuilder<boolean> {
  const conditions = [sql<boolean>`organization_id = ${scope.organizationId}`];
  if (sentFrom !== undefined) conditions.push(sql`sent_at >= ${sentFrom}`);
  if (sentUntil !== undefined) conditions.push(sql`sent_at < ${sentUntil}`);
  if (ids) conditions.push(sql`id >= ${ids.from} and id < ${ids.until}`);
  if (tagIds) {
    conditions.push(sql`exists (
      select 1 from campaign_tags where campaign_tags.organization_id = ${scope.organizationId}
        and campaign_tags.campaign_id = emails.id and ${isAnyOf(scope, "campaign_tags.tag_id", tagIds)})`);
  }
  const isAfter = afterOf(order);
  if (isAfter) conditions.push(isAfter);
  return sql`${sql.join(conditions, sql` and `)}`;
}

/** Whether a row comes after the last one that the caller has. */
function afterOf(order: readonly EmailOrder[]): RawBuilder<boolean> | undefined {
  if (order.length === 0 || order.some(({ after }) => after === undefined)) return undefined;
  const cases = order.map((last, index) => {
    const same = order
      .slice(0, index)
      .map(({ field, after }) => sql`${sql.ref(field)} is not distinct from ${after}`);
    return sql`(${sql.join([...same, isBeyond(last)], sql` and `)})`;
  });
  return sql`(${sql.join(cases, sql` or `)})`;
}

function isBeyond({ field, direction, after = null }: EmailOrder): RawBuilder<boolean> {
  const column = sql.ref(field);
  if (direction === "asc") return after === null ? sql`${column} is not null` : sql`${column} > ${after}`;
  return after === null ? sql`false` : sql`(${column} < ${after} or ${column} is null)`;
}
