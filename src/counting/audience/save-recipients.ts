// Saves lists of recipients, from which the denominators of a campaign's groups come: a whole one in one transaction, or those
// that a process has left. A list of 200,000 is staged and merged in parts, each in a transaction of its own.

import { findListsInWork, findRecipientList } from "../../storage/audience/recipient-lists.ts";
import { lockOrganization, type Organization } from "../../storage/organizations/organizations.ts";
import { chunks, type Database } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { abandonedAfterMs, runInParts } from "../run-in-parts.ts";
import { mergePart } from "./merge-list.ts";
import type { ListRow } from "./parse-list.ts";
import { giveUpList, listedPerPart, stageRows, startList } from "./stage-list.ts";

/** Saves a whole list in one transaction. @returns the number of recipients on it @throws AppError as {@link startList} and {@link stageRows} */
export async function saveRecipientList(
  scope: Scope,
  organization: Organization,
  { rows, ...options }: { id: number; rows: readonly ListRow[]; now: number; sender?: number },
): Promise<number> {
  const list = await startList(scope, options);
  for (const some of chunks(rows, listedPerPart)) {
    await stageRows(scope, organization, { ...options, list, rows: some });
  }
  for (;;) {
    const step = await mergePart(scope, organization, { ...options, list });
    if (step !== "more") return step;
  }
}

/** Nothing is lost if a list waits longer until it is given up, and its rows may arrive slowly. */
const givenUpAfterMs = 30_000;

/**
 * Finishes the lists whose process seems to have ended, or gives them up if rows are missing.
 *
 * @returns the errors of those that fail
 */
export async function finishAbandonedLists(database: Database, now: number): Promise<unknown[]> {
  const abandoned = await database.query((queries) => findListsInWork(queries, now - abandonedAfterMs));
  return runInParts(database, abandoned, async (scope, { ledgerId }) => {
    const organization = await lockOrganization(scope);
    const list = await findRecipientList(scope, ledgerId);
    if (!organization || !list) return false;
    const { campaignId: id, state, workedAt } = list;
    if (state === "merging")
      return (await mergePart(scope, organization, { id, list: ledgerId, now })) === "more";
    if (workedAt < now - givenUpAfterMs) await giveUpList(scope, ledgerId);
    return false;
  });
}
