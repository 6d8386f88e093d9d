// Background work that takes several transactions in each of many organizations. One that fails does not stop the others.

import type { Database } from "../storage/queries/database.ts";
import type { Scope } from "../storage/queries/scope.ts";

/** The process of a user does a part of long work at least this often, unless the database is very busy. */
export const abandonedAfterMs = 5_000;

/** @param run does a part, and returns whether there may be more @returns the errors */
export async function runInParts<Item extends { organizationId: number }>(
  database: Database,
  items: readonly Item[],
  run: (scope: Scope, item: Item) => Promise<boolean>,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const item of items) {
    try {
      while (await database.transactionOf(item.organizationId, (scope) => run(scope, item)));
    } catch (error) {
      errors.push(error);
    }
  }
  return errors;
}
