// Undoes an import as a user does: part by part.

import { continueImport } from "../../src/counting/import/continue-import.ts";
import type { ImportRequest } from "../../src/counting/import/import-upload.ts";
import { startUndo, type UndoneImport, undoneOf } from "../../src/counting/import/undo-import.ts";
import { lockOrganization, type Organization } from "../../src/storage/organizations/organizations.ts";
import type { Database } from "../../src/storage/queries/database.ts";

export async function undoImport(
  database: Database,
  organizationId: number,
  request: ImportRequest,
): Promise<UndoneImport> {
  await database.transactionOf(organizationId, (scope) => startUndo(scope, request));
  for (;;) {
    const step = await database.transactionOf(organizationId, async (scope) =>
      continueImport(scope, (await lockOrganization(scope)) as Organization, request),
    );
    if (step !== "more") return undoneOf(step);
  }
}
