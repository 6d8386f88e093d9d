// Replaces the directory of an organization: written in several transactions, and valid from the last one on.

import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError } from "../../errors.ts";
import {
  addToDirectory,
  countDirectory,
  deleteOldDirectory,
  findInDirectory,
} from "../../storage/audience/directory.ts";
import { hasRecipientLists } from "../../storage/audience/recipient-lists.ts";
import { deleteUnusedGroups } from "../../storage/audience/store-groups.ts";
import {
  lockOrganization,
  organizationOf,
  saveOrganization,
} from "../../storage/organizations/organizations.ts";
import { newRandomId } from "../../storage/organizations/revisions.ts";
import { chunks, type Database } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { hashRecipient } from "../hashes/hash-recipient.ts";
import type { ListRow } from "./parse-list.ts";
import { requireSame, resolveGroups } from "./resolve-groups.ts";

/** Saving so many blocks the event loop for some milliseconds. */
const rowsAtOnce = 250;
/** Deleting so many takes some ten milliseconds, during which others wait on SQLite. */
const rowsPerTransaction = 2_000;

/**
 * Campaigns keep the groups that their recipients have. The directory counts for lists and first events from now on.
 *
 * @param parts of the rows, each written in transactions of some milliseconds
 * @param finish runs in the transaction that makes it valid
 * @returns the number of recipients
 * @throws AppError `bad_request` if a row is wrong: the directory stays as it was
 */
export async function replaceDirectory(
  database: Database,
  organizationId: number,
  parts: Iterable<readonly ListRow[]> | AsyncIterable<readonly ListRow[]>,
  finish: (scope: Scope, recipients: number) => Promise<void>,
): Promise<number> {
  // 0 means no directory.
  const version = newRandomId() + 1;
  const added: number[] = [];
  let recipients = 0;
  try {
    for await (const part of parts) {
      for (const rows of chunks(part, rowsAtOnce)) {
        recipients += await database.transactionOf(organizationId, (scope) =>
          addRows(scope, { version, rows, added }),
        );
        // SQLite answers without leaving the event loop, which serves others.
        await nextTurn();
      }
    }
    await database.transactionOf(organizationId, async (scope) => {
      const organization = await organizationOf(scope, lockOrganization);
      const next = { ...organization, directoryVersion: version };
      if ((await countDirectory(scope, next)) !== recipients) {
        const problem = "was replaced, or a recipient was forgotten, while this list was read";
        throw new AppError("conflict", `The directory ${problem}; send the list again.`);
      }
      await saveOrganization(scope, { directoryVersion: recipients === 0 ? 0 : version });
      await finish(scope, recipients);
    });
  } catch (error) {
    await deleteVersions(database, organizationId, { only: version });
    await database.transactionOf(organizationId, async (scope) => {
      // A list that is being saved may have the values too.
      if (!(await hasRecipientLists(scope))) await deleteUnusedGroups(scope, added);
    });
    throw error;
  }
  await deleteVersions(database, organizationId, {});
  return recipients;
}

/** @returns how many of them were not in this version before */
async function addRows(
  scope: Scope,
  { version, rows, added }: { version: number; rows: readonly ListRow[]; added: number[] },
): Promise<number> {
  const organization = await organizationOf(scope, lockOrganization);
  const listed = (await resolveGroups(scope, rows, added)).map((each) => ({
    ...each,
    hash: hashRecipient(organization.secret, each),
  }));
  const known = await findInDirectory(
    scope,
    { directoryVersion: version },
    listed.map(({ hash }) => hash),
  );
  for (const each of listed) {
    const before = known.get(each.hash);
    if (before) requireSame({ groups: before }, each);
  }
  const others = listed.filter(({ hash }) => !known.has(hash));
  await addToDirectory(scope, version, others);
  return others.length;
}

/** Deletes one version, or all that are not valid: also those of an import that was killed. */
async function deleteVersions(
  database: Database,
  organizationId: number,
  { only }: { only?: number },
): Promise<void> {
  for (let isMore = true; isMore; await nextTurn()) {
    isMore = await database.transactionOf(organizationId, async (scope) => {
      const { directoryVersion: kept } = await organizationOf(scope, lockOrganization);
      return deleteOldDirectory(scope, { kept, only, limit: rowsPerTransaction });
    });
  }
}
