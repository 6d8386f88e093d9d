// The table `passkeys`: the public keys with which users sign in without a password.

import type { Queries } from "../queries/database.ts";
import { columnsOf, deleteRows, objectsOf, type RowObject, selectRows, updateRows } from "../queries/rows.ts";
import type { Tables } from "../tables/tables.ts";
import type { Who } from "./users.ts";

type Passkey = Omit<RowObject<"passkeys">, "organizationId" | "publicKey"> & {
  publicKey: Uint8Array<ArrayBuffer>;
};

/** @returns false if the organization has the passkey */
export async function addPasskey(
  queries: Queries,
  { organizationId, id: userId }: Who,
  { id, name, publicKey, counter, createdAt }: Omit<Passkey, "userId" | "lastUsedAt" | "challengedAt">,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto("passkeys")
    .values({
      ...{ organization_id: organizationId, id, user_id: userId, name, counter, created_at: createdAt },
      ...{ public_key: Buffer.from(publicKey), last_used_at: null, challenged_at: 0 },
    })
    .onConflict((conflict) => conflict.columns(["organization_id", "id"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** The oldest first. */
export async function listPasskeys(queries: Queries, { organizationId, id }: Who): Promise<Passkey[]> {
  const rows = await selectRows(queries, "passkeys", { organization_id: organizationId, user_id: id })
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toPasskey);
}

/** The passkey of a user; undefined if it is another user's. */
export async function findPasskey(
  queries: Queries,
  { organizationId, id: userId }: Who,
  id: string,
): Promise<Passkey | undefined> {
  const row = await selectRows(queries, "passkeys", {
    organization_id: organizationId,
    id,
    user_id: userId,
  }).executeTakeFirst();
  return row && toPasskey(row);
}

export async function savePasskey(
  queries: Queries,
  organizationId: number,
  { id, name, counter, lastUsedAt, challengedAt }: Passkey,
): Promise<void> {
  const change = columnsOf<"passkeys">({ name, counter, lastUsedAt, challengedAt });
  await updateRows(queries, "passkeys", { organization_id: organizationId, id }, change);
}

/** @param id of one; all of the user's without it */
export async function deletePasskeys(
  queries: Queries,
  { organizationId, id: userId }: Who,
  id?: string,
): Promise<void> {
  const ofUser = { organization_id: organizationId, user_id: userId };
  await deleteRows(queries, "passkeys", id === undefined ? ofUser : { ...ofUser, id });
}

const toObject = objectsOf("passkeys");

function toPasskey(row: Tables["passkeys"]): Passkey {
  return { ...toObject(row), publicKey: new Uint8Array(row.public_key) };
}
