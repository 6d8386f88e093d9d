// Copies everything from one database into another, all or nothing: what was written is read back and compared, and every
// number is counted again, before any of it stays.

import { recountCampaign } from "../../counting/events/recount.ts";
import { AppError } from "../../errors.ts";
import { type CopiedTable, copiedTableNames } from "../../storage/copy/copied-tables.ts";
import {
  analyzeTables,
  copyTable,
  countRows,
  type Fingerprint,
  fingerprintTable,
  lockIfEmpty,
} from "../../storage/copy/copy-tables.ts";
import { raiseLastIds, readLastIds } from "../../storage/copy/last-ids.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { findOpenLedgers } from "../../storage/ledgers.ts";
import { listOrganizations } from "../../storage/organizations.ts";
import type { ProgressBar } from "../progress-bar.ts";

export interface Copied {
  tables: { table: CopiedTable; rows: number }[];
  /** Campaigns whose numbers were counted again. */
  recounted: number;
}

/** @throws Refusal when the target is not empty, or anything in it is not as it is in the source */
export async function copyDatabase(source: Database, target: Database, bar: ProgressBar): Promise<Copied> {
  let copied: Copied | undefined;
  try {
    await source.snapshot(async (from) => {
      copied = await target.transaction((to) => copyAll(from, to, bar), "never");
    }, "never");
  } catch (error) {
    // What happens to the source after everything has been read and written does not matter.
    if (!copied) throw error;
  } finally {
    bar.clear();
  }
  return copied as Copied;
}

async function copyAll(from: Queries, to: Queries, bar: ProgressBar): Promise<Copied> {
  if (!(await lockIfEmpty(to))) {
    throw new AppError(
      "conflict",
      "the database that is copied into is not empty; name a new one: a file that does not exist yet, or what CREATE DATABASE has made",
    );
  }
  const present = new Map<CopiedTable, number>();
  for (const table of copiedTableNames) present.set(table, await countRows(from, table));
  if (present.get("organizations") === 0) {
    throw new AppError(
      "not_found",
      "the database of --from has no organization, so there is nothing to copy",
    );
  }
  // Each row is copied, and then compared.
  const steps = 2 * [...present.values()].reduce((sum, rows) => sum + rows, 0);
  let done = 0;
  const showing = (what: string) => (rows: number) => {
    done += rows;
    bar.show(done / steps, what);
  };
  const given = new Map<CopiedTable, Fingerprint>();
  for (const table of copiedTableNames) {
    given.set(table, await copyTable(from, to, table, showing(`copying ${table}`)));
  }
  await analyzeTables(to);
  for (const table of copiedTableNames) {
    const show = showing(`comparing ${table}`);
    const found = await fingerprintTable(to, table, (rows) => show(rows.length));
    const counts = [present.get(table), given.get(table)?.rows, found.rows, await countRows(to, table)];
    if (new Set(counts).size > 1) refuse(table, `the number of its rows differs (${counts.join(", ")})`);
    if (given.get(table)?.sha256 !== found.sha256) refuse(table, "what was written is not what was read");
  }
  const recounted = await recountAll(to, bar);
  await raiseLastIds(to, await readLastIds(from));
  return { tables: [...present].map(([table, rows]) => ({ table, rows })), recounted };
}

/** @returns how many campaigns it were */
async function recountAll(queries: Queries, bar: ProgressBar): Promise<number> {
  let recounted = 0;
  for (const organization of await listOrganizations(queries)) {
    for (const { campaignId } of await findOpenLedgers(queries, organization.id)) {
      const name = `organization ${organization.id}, campaign ${campaignId}`;
      bar.show(1, `counting ${name}`);
      const drifts = await recountCampaign(queries, organization, campaignId, {
        isRepaired: false,
        now: 0,
      }).catch((error: unknown) => {
        if (error instanceof SyntaxError) refuse("recipients", `${name}: what one has done cannot be read`);
        throw error;
      });
      if (drifts.length > 0) {
        refuse("campaigns", `the numbers of ${name} are not what its recipients have done; see "recount"`);
      }
      recounted += 1;
    }
  }
  return recounted;
}

function refuse(table: CopiedTable, why: string): never {
  throw new AppError("conflict", `${table}: ${why}; nothing was copied`);
}
