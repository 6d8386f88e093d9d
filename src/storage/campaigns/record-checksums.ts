// Checksums of rendered records: they show that a stored record is not the text that was saved.

import { crc32 } from "node:zlib";
import type { Queries } from "../database.ts";

/** A rendered record, and the checksum that was stored when it was rendered. */
export interface ChecksummedRecord {
  id: number;
  record: string;
  renderVersion: number;
  checksum: number;
}

/** CRC-32 of a record, in UTF-8. It finds damage, not manipulation. */
export function checksumOf(record: string): number {
  return crc32(record);
}

/** Whether the record is not the text that was saved. */
export function isDamaged({ record, checksum }: Pick<ChecksummedRecord, "record" | "checksum">): boolean {
  return checksumOf(record) !== checksum;
}

/** A page of records by id. @param after the last id of the page before, or 0 */
export async function findChecksummedRecords(
  queries: Queries,
  organizationId: number,
  { after, limit }: { after: number; limit: number },
): Promise<ChecksummedRecord[]> {
  return queries
    .selectFrom("campaigns")
    .select(["id", "record", "record_checksum as checksum", "render_version as renderVersion"])
    .where("organization_id", "=", organizationId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** The number of records of an organization. */
export async function countRecords(queries: Queries, organizationId: number): Promise<number> {
  const { count } = await queries
    .selectFrom("campaigns")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return count;
}
