// Imports and undoes files part by part: for the user who waits for it, or in upkeep after the process of that user ended.

import { AppError } from "../../errors.ts";
import { findImport, findInWork, type StoredImport } from "../../storage/imports/imports.ts";
import { lockOrganization, type Organization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { abandonedAfterMs, runInParts } from "../run-in-parts.ts";
import { importPart } from "./import-upload.ts";
import { undoPart } from "./undo-import.ts";

/**
 * Does the next part. Several processes may do parts of the same import.
 *
 * @returns the import after the last part
 * @throws AppError `not_found` if there is no such file
 */
export async function continueImport(
  scope: Scope,
  organization: Organization,
  { id, now }: { id: number; now: number },
): Promise<StoredImport | "more"> {
  const stored = await findImport(scope, id);
  if (!stored) throw new AppError("not_found");
  if (stored.state === "importing") return importPart(scope, organization, stored, now);
  if (stored.state === "undoing") return undoPart(scope, organization, stored, now);
  return stored;
}

/** Finishes the imports whose process seems to have ended. @returns the errors of those that fail */
export async function finishAbandonedImports(database: Database, now: number): Promise<unknown[]> {
  const abandoned = await database.query((queries) => findInWork(queries, now - abandonedAfterMs));
  return runInParts(database, abandoned, async (scope, { id }) => {
    const organization = await lockOrganization(scope);
    return organization !== undefined && (await continueImport(scope, organization, { id, now })) === "more";
  });
}
