// Copies a database into an empty one, in one transaction. Before it commits, every row is read back and compared, and
// every counted campaign is recounted.

import { randomInt } from "node:crypto";
import { recountCampaign } from "../../counting/tallies/recount.ts";
import { AppError } from "../../errors.ts";
import {
  analyzeTables,
  copiedTables,
  copyTable,
  countAll,
  type Fingerprint,
  fingerprintTable,
  lockIfEmpty,
} from "../../storage/copy/copy-tables.ts";
import { raiseLastIds, readLastIds } from "../../storage/copy/last-ids.ts";
import { findOpenLedgers } from "../../storage/ledgers/ledgers.ts";
import { UnreadableRecipient } from "../../storage/ledgers/recipients.ts";
import { listOrganizations } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import type { Queries } from "../../storage/queries/queries.ts";
import { Scope } from "../../storage/queries/scope.ts";
import type { TableName } from "../../storage/tables/tables.ts";
import type { ProgressBar } from "./progress-bar.ts";

export interface CopyResult {
  tables: { table: TableName; rows: number }[];
  /** The number of campaigns that were recounted. */
  recounted: number;
}

type RowCounts = ReadonlyMap<TableName, number>;

/** @throws AppError `conflict` if the target is not empty, or does not contain exactly what the source contains */
export async function copyDatabase(
  source: Database,
  target: Database,
  bar: ProgressBar,
): Promise<CopyResult> {
  let copied: CopyResult | undefined;
  try {
    await source.snapshot(async (from) => {
      copied = await target.transaction((to) => copyAll(from, to, bar), "never");
    }, "never");
  } catch (error) {
    // Once the target has committed, a failure of the source no longer matters.
    if (!copied) throw error;
  } finally {
    bar.clear();
  }
  return copied as CopyResult;
}

async function copyAll(from: Queries, to: Queries, bar: ProgressBar): Promise<CopyResult> {
  if (!(await lockIfEmpty(to))) {
    throw new AppError(
      "conflict",
      "the target database is not empty; use a new one: a file that does not exist yet, or a database just made with CREATE DATABASE",
    );
  }
  const rowCounts = new Map<TableName, number>();
  for (const table of copiedTables) rowCounts.set(table, await countAll(from, table));
  if (rowCounts.get("organizations") === 0) {
    throw new AppError("not_found", "the database has no organization, so there is nothing to copy");
  }
  await copyAndCompare(from, to, rowCounts, bar);
  const recounted = await recountOpen(to, bar);
  await raiseLastIds(to, await readLastIds(from));
  return { tables: [...rowCounts].map(([table, rows]) => ({ table, rows })), recounted };
}

async function copyAndCompare(
  from: Queries,
  to: Queries,
  rowCounts: RowCounts,
  bar: ProgressBar,
): Promise<void> {
  // Every row is copied, and then compared.
  const steps = 2 * [...rowCounts.values()].reduce((sum, rows) => sum + rows, 0);
  let done = 0;
  const showing = (text: string) => (rows: number) => {
    done += rows;
    bar.show(done / steps, text);
  };
  const copied = new Map<TableName, Fingerprint>();
  for (const table of copiedTables) {
    copied.set(table, await copyTable(from, to, table, showing(`copying ${table}`)));
  }
  await analyzeTables(to);
  for (const table of copiedTables) {
    const show = showing(`comparing ${table}`);
    const found = await fingerprintTable(to, table, (rows) => show(rows.length));
    const counts = [rowCounts.get(table), copied.get(table)?.rows, found.rows, await countAll(to, table)];
    if (new Set(counts).size > 1) fail(table, `the number of rows differs (${counts.join(", ")})`);
    if (copied.get(table)?.sha256 !== found.sha256) fail(table, "the rows written differ from the rows read");
  }
}

/**
 * @param sample how many campaigns of each organization to recount
 * @returns how many were recounted
 */
export async function recountOpen(
  queries: Queries,
  bar: ProgressBar,
  sample = Number.POSITIVE_INFINITY,
): Promise<number> {
  let recounted = 0;
  for (const organization of await listOrganizations(queries)) {
    const open = await findOpenLedgers(new Scope(queries, organization.id));
    while (open.length > sample) open.splice(randomInt(open.length), 1);
    for (const { campaignId } of open) {
      const name = `organization ${organization.id}, campaign ${campaignId}`;
      bar.show(1, `recounting ${name}`);
      const drifts = await recountCampaign(new Scope(queries, organization.id), organization, campaignId, {
        isRepaired: false,
        now: 0,
      }).catch((error: unknown) => {
        if (error instanceof UnreadableRecipient) fail("recipients", `${name}: a recipient is unreadable`);
        throw error;
      });
      if (drifts.length > 0) {
        fail("campaigns", `the numbers of ${name} do not match its recipients; see "recount"`);
      }
      recounted += 1;
    }
  }
  return recounted;
}

function fail(table: TableName, problem: string): never {
  throw new AppError("conflict", `${table}: ${problem}; nothing was copied`);
}
