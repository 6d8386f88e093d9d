// What the index of an organization reads: the order of its campaigns, their tags, and the bytes of their records.

import { sql } from "kysely";
import { prepare } from "../queries/prepare.ts";
import type { Scope } from "../queries/scope.ts";
import type { EmailKey } from "./emails.ts";

/** Published campaigns with ids after one, by id. */
export async function findPublishedKeys(
  scope: Scope,
  { after, limit }: { after: number; limit: number },
): Promise<EmailKey[]> {
  return selectKeys(scope, [scope.organizationId, after, limit]);
}

const selectKeys = prepare<EmailKey>((queries) =>
  sql<EmailKey>`
    select campaign_id as id, sent_at as "sentAt" from changes
    where organization_id = ${0} and campaign_id > ${0} and sent_at is not null
    order by campaign_id limit ${0}`.compile(queries),
);

export interface TaggedId {
  id: number;
  tagId: number;
}

/** The tags of campaigns with ids after one and up to another, by id. */
export async function findTagsInRange(
  scope: Scope,
  { after, until }: { after: number; until: number },
): Promise<TaggedId[]> {
  return selectTagsInRange(scope, [scope.organizationId, after, until]);
}

const selectTagsInRange = prepare<TaggedId>((queries) =>
  sql<TaggedId>`
    select campaign_id as id, tag_id as "tagId" from campaign_tags
    where organization_id = ${0} and campaign_id > ${0} and campaign_id <= ${0}
    order by campaign_id, tag_id`.compile(queries),
);

/** The tags of these campaigns, by id. */
export async function findTagIdsOf(scope: Scope, ids: readonly number[]): Promise<TaggedId[]> {
  return scope
    .from("campaign_tags", { campaign_id: ids })
    .select(["campaign_id as id", "tag_id as tagId"])
    .orderBy("campaign_id")
    .orderBy("tag_id")
    .execute();
}

export interface RecordRow {
  id: number;
  updatedAt: number;
  record: string;
}

/** The records from one campaign to another, newest first. */
export async function findRecordsBetween(
  scope: Scope,
  newest: EmailKey,
  oldest: EmailKey,
): Promise<RecordRow[]> {
  return selectRecords(scope, [
    ...[scope.organizationId, newest.sentAt, newest.id, oldest.sentAt, oldest.id],
    ...[oldest.sentAt, newest.sentAt],
  ]);
}

/** PostgreSQL takes the comparisons of row values for independent, and needs the range of their first column beside them. */
const selectRecords = prepare<RecordRow>((queries) =>
  sql<RecordRow>`
    select id, updated_at as "updatedAt", record from emails
    where organization_id = ${0} and (sent_at, id) <= (${0}, ${0}) and (sent_at, id) >= (${0}, ${0})
      and sent_at between ${0} and ${0}
    order by sent_at desc, id desc`.compile(queries),
);
