// Deletes the event ids and recipients of closed and removed campaigns, a little at a time.

import { deleteLedgerRows, findRetiredLedger } from "../../storage/ledgers/retired-ledgers.ts";
import { lockOrganization } from "../../storage/organizations/organizations.ts";
import type { Queries } from "../../storage/queries/queries.ts";
import { Scope } from "../../storage/queries/scope.ts";

/** Keeps transactions so short that other writers wait about ten milliseconds. */
const rowsPerTransaction = 2_000;

/**
 * Deletes some rows of a retired ledger.
 *
 * @returns whether there may be more
 */
export async function purgeRetiredLedger(queries: Queries): Promise<boolean> {
  const retired = await findRetiredLedger(queries);
  if (!retired) return false;
  // Without the lock, a ledger could look empty while another process is still deleting its rows.
  const scope = new Scope(queries, retired.organizationId);
  await lockOrganization(scope);
  await deleteLedgerRows(scope, { ...retired, rows: rowsPerTransaction });
  return true;
}
