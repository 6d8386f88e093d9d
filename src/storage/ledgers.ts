// The table `ledgers`: what the numbers of a counted campaign are counted from. A ledger holds the secret of the
// campaign; event ids and recipients hang on it. A closed or deleted campaign leaves it retired, to be cleared away.

import { sql } from "kysely";
import { generateSecret } from "../access/secret.ts";
import type { Queries } from "./database.ts";
import { nextId } from "./ids.ts";

export interface Ledger {
  id: number;
  /** In hex. */
  secret: string;
  /** How many of its recipients were forgotten. */
  forgottenCount: number;
}

export async function addLedger(queries: Queries, organizationId: number): Promise<Ledger> {
  const ledger = { id: await nextId(queries, "ledgers"), secret: generateSecret() };
  await queries
    .insertInto("ledgers")
    .values({ organization_id: organizationId, ...ledger, forgotten_count: 0 })
    .execute();
  return { ...ledger, forgottenCount: 0 };
}

/** The ledgers of these ids that are not retired. */
export async function findLedgers(
  queries: Queries,
  organizationId: number,
  ids: readonly number[],
): Promise<Map<number, Ledger>> {
  const found = new Map<number, Ledger>();
  if (ids.length === 0) return found;
  const rows = await queries
    .selectFrom("ledgers")
    .select(["id", "secret", "forgotten_count as forgottenCount"])
    .where("organization_id", "=", organizationId)
    .where("id", "in", ids)
    .execute();
  for (const { secret, ...ledger } of rows) {
    if (secret !== null) found.set(ledger.id, { ...ledger, secret });
  }
  return found;
}

/** All ledgers that are not retired, and the campaigns that they belong to. */
export async function findOpenLedgers(
  queries: Queries,
  organizationId: number,
): Promise<(Ledger & { campaignId: number })[]> {
  const rows = await queries
    .selectFrom("campaigns")
    .innerJoin("ledgers", (join) =>
      join
        .onRef("ledgers.organization_id", "=", "campaigns.organization_id")
        .onRef("ledgers.id", "=", "campaigns.ledger_id"),
    )
    .select([
      "ledgers.id",
      "ledgers.secret",
      "ledgers.forgotten_count as forgottenCount",
      "campaigns.id as campaignId",
    ])
    .where("campaigns.organization_id", "=", organizationId)
    .orderBy("campaigns.id")
    .execute();
  return rows.map((row) => ({ ...row, secret: row.secret ?? "" }));
}

export async function incrementForgotten(
  queries: Queries,
  organizationId: number,
  ledgerId: number,
): Promise<void> {
  await queries
    .updateTable("ledgers")
    .set((set) => ({ forgotten_count: set("forgotten_count", "+", 1) }))
    .where("organization_id", "=", organizationId)
    .where("id", "=", ledgerId)
    .execute();
}

/** From the commit on the secret is gone, so that hashes tell nothing; what hangs on the ledger is cleared bit by bit. */
export async function retireLedger(
  queries: Queries,
  organizationId: number,
  ledgerId: number,
): Promise<void> {
  await queries
    .updateTable("ledgers")
    .set({ secret: null })
    .where("organization_id", "=", organizationId)
    .where("id", "=", ledgerId)
    .execute();
}

export async function findRetiredLedger(
  queries: Queries,
): Promise<{ organizationId: number; id: number } | undefined> {
  return queries
    .selectFrom("ledgers")
    .select(["organization_id as organizationId", "id"])
    .where("secret", "is", null)
    .limit(1)
    .executeTakeFirst();
}

/**
 * Deletes some rows of a retired ledger, and the ledger when nothing hangs on it any more.
 *
 * @returns whether it is gone
 */
export async function clearLedger(
  queries: Queries,
  { organizationId, id, rows }: { organizationId: number; id: number; rows: number },
): Promise<boolean> {
  for (const [table, key] of [
    ["recipients", "name"],
    ["event_ids", "id"],
  ] as const) {
    const from = sql`from ${sql.table(table)} where organization_id = ${organizationId} and ledger_id = ${id}`;
    // One range of the key, or all of the rest: by single keys PostgreSQL would look at the whole ledger for each of them.
    const last = sql`select ${sql.ref(key)} ${from} order by ${sql.ref(key)} limit 1 offset ${rows - 1}`;
    const some = await sql`delete ${from} and ${sql.ref(key)} <= (${last})`.execute(queries);
    if (some.numAffectedRows) return false;
    const rest = await sql`delete ${from}`.execute(queries);
    if (rest.numAffectedRows) return false;
  }
  await queries
    .deleteFrom("ledgers")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .execute();
  return true;
}
