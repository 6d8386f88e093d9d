// Reads the audit log as tests compare it.

import { listActions } from "../../src/storage/organizations/audit-log.ts";
import type { World } from "./world.ts";

/** The entries as `actor, action, target`, newest first. */
export async function actionsOf({ database }: World, organizationId: number): Promise<string[]> {
  const entries = await database.queryOf(organizationId, (scope) => listActions(scope, {}));
  return entries.map(({ actor, action, target }) => `${actor}, ${action}, ${target}`);
}
