// The revision of an organization: it names a state of everything that readers could see.

import { randomInt } from "node:crypto";
import { sql } from "kysely";
import type { Scope } from "../queries/scope.ts";

/**
 * Raises the revision of an organization. Call it in the transaction of any change that a reader could see. A revision is
 * at least the current time. After a backup was restored it may repeat if a clock was wrong, but its id does not.
 *
 * @param now milliseconds since 1970
 * @returns the new revision
 */
export async function raiseRevision(scope: Scope, now: number): Promise<number> {
  const { revision } = await scope.queries
    .updateTable("organizations")
    .set({
      revision: sql<number>`case when revision >= ${now} then revision + 1 else ${now} end`,
      revision_id: newRandomId(),
    })
    .where("id", "=", scope.organizationId)
    .returning("revision")
    .executeTakeFirstOrThrow();
  return revision;
}

/** A number below 2^48 that no other state of the organization has, even one that was lost by restoring a backup. */
export function newRandomId(): number {
  return randomInt(2 ** 48 - 1);
}
