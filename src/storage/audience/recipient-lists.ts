// The table `recipient_lists`: lists of recipients on their way into a campaign. A list is staged under a ledger of its own
// until all of its rows are there, and then merged into the ledger of the campaign.

import { addLedger } from "../ledgers/ledgers.ts";
import { retireLedger } from "../ledgers/retired-ledgers.ts";
import type { Queries } from "../queries/queries.ts";
import { columnsOf, objectsOf, type RowObject } from "../queries/rows.ts";
import type { Scope } from "../queries/scope.ts";
import { deleteUnusedGroups } from "./store-groups.ts";

export type RecipientList = Omit<RowObject<"recipient_lists">, "organizationId" | "added"> & {
  /** The ids of the values that it has added to attributes. */
  added: number[];
};

const toObject = objectsOf("recipient_lists");

/** Starts a list. */
export async function addRecipientList(
  scope: Scope,
  { campaignId, now }: { campaignId: number; now: number },
): Promise<RecipientList> {
  const { id: ledgerId } = await addLedger(scope);
  const progress = { state: "staging", mergedUntil: "", listed: 0, workedAt: now } as const;
  const row = columnsOf<"recipient_lists">({ ledgerId, campaignId, ...progress, added: "[]" });
  await scope.insert("recipient_lists", row as never).execute();
  return { ledgerId, campaignId, ...progress, added: [] };
}

/** Whether any list of the organization is being saved. */
export async function hasRecipientLists(scope: Scope): Promise<boolean> {
  return (await scope.countRows("recipient_lists")) > 0;
}

/** The lists that are on their way into some campaigns. */
export async function findRecipientLists(
  scope: Scope,
  campaignIds: readonly number[],
): Promise<RecipientList[]> {
  const rows = await scope
    .selectRows("recipient_lists", { campaign_id: campaignIds })
    .orderBy("ledger_id")
    .execute();
  return rows.map(toList);
}

export async function findRecipientList(scope: Scope, ledgerId: number): Promise<RecipientList | undefined> {
  const row = await scope.selectRows("recipient_lists", { ledger_id: ledgerId }).executeTakeFirst();
  return row && toList(row);
}

function toList(row: Parameters<typeof toObject>[0]): RecipientList {
  const { organizationId: _, added, ...list } = toObject(row);
  return { ...list, added: JSON.parse(added) as number[] };
}

/** Saves how much of a list is staged or merged. */
export async function saveListProgress(
  scope: Scope,
  { ledgerId, added, ...list }: RecipientList,
): Promise<void> {
  const columns = columnsOf<"recipient_lists">({ ...list, added: JSON.stringify(added) });
  await scope.updateRows("recipient_lists", { ledger_id: ledgerId }, columns);
}

/**
 * Deletes a list that is merged, or not wanted any more. Upkeep deletes its rows. The values that it has added stay if other
 * lists or the directory may have them too.
 */
export async function deleteRecipientList(scope: Scope, { ledgerId, added }: RecipientList): Promise<void> {
  await scope.deleteRows("recipient_lists", { ledger_id: ledgerId });
  await retireLedger(scope, ledgerId);
  if (added.length === 0 || (await hasRecipientLists(scope))) return;
  if ((await scope.countRows("directory")) === 0) await deleteUnusedGroups(scope, added);
}

/** The lists of all organizations that were worked on last before a time. */
export function findListsInWork(
  queries: Queries,
  workedBefore: number,
): Promise<{ organizationId: number; ledgerId: number }[]> {
  return queries
    .selectFrom("recipient_lists")
    .select(["organization_id as organizationId", "ledger_id as ledgerId"])
    .where("worked_at", "<", workedBefore)
    .execute();
}
