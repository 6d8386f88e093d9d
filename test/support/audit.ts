// Reads the audit log as tests compare it.

import { listActions } from "../../src/storage/organizations/audit-log.ts";
import { Scope } from "../../src/storage/queries/scope.ts";
import type { World } from "./world.ts";

/** The entries as `actor, action, target`, newest first. */
export async function actionsOf({ database }: World, organizationId: number): Promise<string[]> {
  const entries = await database.query((queries) => listActions(new Scope(queries, organizationId), {}));
  return entries.map(({ actor, action, target }) => `${actor}, ${action}, ${target}`);
}
