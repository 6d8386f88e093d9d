// Checksums of rendered records: they show that a stored record is not the text that was saved.

import { crc32 } from "node:zlib";
import { sql } from "kysely";
import type { Queries } from "../database.ts";
import type { IndexEntry } from "./index-entries.ts";

/** A rendered record, and the checksum that was stored when it was rendered. */
export interface ChecksummedRecord extends IndexEntry {
  record: string;
  renderVersion: number;
  checksum: number;
}

const columns = [
  "campaign_id as id",
  "sent_at as sentAt",
  "record",
  "checksum",
  "render_version as renderVersion",
] as const;

/** CRC-32 of a record, in UTF-8. It finds damage, not manipulation. */
export function checksumOf(record: string): number {
  return crc32(record);
}

/** Whether the record is not the text that was saved. */
export function isDamaged({ record, checksum }: Pick<ChecksummedRecord, "record" | "checksum">): boolean {
  return checksumOf(record) !== checksum;
}

/**
 * The records from one entry to another, in no particular order.
 *
 * @param after older than this entry; undefined from the newest record on
 * @param last including this entry; undefined to the oldest record
 */
export async function findChecksummedRecords(
  queries: Queries,
  organizationId: number,
  { after, last }: { after: IndexEntry | undefined; last: IndexEntry | undefined },
): Promise<ChecksummedRecord[]> {
  let records = queries.selectFrom("records").select(columns).where("organization_id", "=", organizationId);
  if (after) records = records.where(sql<boolean>`(sent_at, campaign_id) < (${after.sentAt}, ${after.id})`);
  if (last) records = records.where(sql<boolean>`(sent_at, campaign_id) >= (${last.sentAt}, ${last.id})`);
  return records.execute();
}

/** The record of a campaign; undefined if it is missing. */
export async function findChecksummedRecord(
  queries: Queries,
  organizationId: number,
  { id, sentAt }: IndexEntry,
): Promise<ChecksummedRecord | undefined> {
  return queries
    .selectFrom("records")
    .select(columns)
    .where("organization_id", "=", organizationId)
    .where("sent_at", "=", sentAt)
    .where("campaign_id", "=", id)
    .executeTakeFirst();
}
