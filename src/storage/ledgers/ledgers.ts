// The table `ledgers`. A ledger is what the numbers of a counted campaign are counted from: the campaign's secret, the ids
// of its events and its recipients.

import { generateSecret } from "../../access/secret.ts";
import { newRandomId } from "../organizations/revisions.ts";
import { nextId } from "../queries/ids.ts";
import type { Scope } from "../queries/scope.ts";

export interface Ledger {
  id: number;
  /** The secret in hex. */
  secret: string;
  /** Identifies when the last recipient was forgotten; null if none was. */
  forgottenId: number | null;
}

export async function addLedger(scope: Scope): Promise<Ledger> {
  const ledger = { id: await nextId(scope.queries, "ledgers"), secret: generateSecret() };
  await scope.insert("ledgers", { ...ledger, forgotten_id: null }).execute();
  return { ...ledger, forgottenId: null };
}

/** The ledgers with these ids, by id, without retired ones. */
export async function findLedgers(scope: Scope, ids: readonly number[]): Promise<Map<number, Ledger>> {
  const ledgers = new Map<number, Ledger>();
  const rows = await scope
    .from("ledgers", { id: ids })
    .select(["id", "secret", "forgotten_id as forgottenId"])
    .execute();
  for (const { secret, ...ledger } of rows) {
    if (secret !== null) ledgers.set(ledger.id, { ...ledger, secret });
  }
  return ledgers;
}

/** The ledgers of all campaigns that are still counted, by campaign. */
export async function findOpenLedgers(scope: Scope): Promise<(Ledger & { campaignId: number })[]> {
  const rows = await scope
    .from("campaigns")
    .innerJoin("ledgers", (join) =>
      join
        .onRef("ledgers.organization_id", "=", "campaigns.organization_id")
        .onRef("ledgers.id", "=", "campaigns.ledger_id"),
    )
    .select([
      "ledgers.id",
      "ledgers.secret",
      "ledgers.forgotten_id as forgottenId",
      "campaigns.id as campaignId",
    ])
    .orderBy("campaigns.id")
    .execute();
  return rows.map((row) => ({ ...row, secret: row.secret ?? "" }));
}

/** Saves that a recipient was forgotten. */
export async function saveForgotten(scope: Scope, ledgerId: number): Promise<void> {
  await scope.updateRows("ledgers", { id: ledgerId }, { forgotten_id: newRandomId() });
}
