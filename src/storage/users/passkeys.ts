// The table `passkeys`: the public keys with which users sign in without a password.

import { columnsOf, objectsOf, type RowObject } from "../queries/rows.ts";
import type { Scope } from "../queries/scope.ts";
import type { Tables } from "../tables/tables.ts";
import type { Who } from "./users.ts";

type Passkey = Omit<RowObject<"passkeys">, "organizationId" | "publicKey"> & {
  publicKey: Uint8Array<ArrayBuffer>;
};

/** @returns false if the organization has the passkey */
export async function addPasskey(
  scope: Scope,
  { id: userId }: Who,
  { id, name, publicKey, counter, createdAt }: Omit<Passkey, "userId" | "lastUsedAt" | "challengedAt">,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await scope
    .insert("passkeys", {
      id,
      user_id: userId,
      name,
      counter,
      created_at: createdAt,
      public_key: Buffer.from(publicKey),
      last_used_at: null,
      challenged_at: 0,
    })
    .onConflict((conflict) => conflict.columns(["organization_id", "id"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** The oldest first. */
export async function listPasskeys(scope: Scope, { id }: Who): Promise<Passkey[]> {
  const rows = await scope
    .selectRows("passkeys", { user_id: id })
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toPasskey);
}

/** The passkey of a user; undefined if it is another user's. */
export async function findPasskey(
  scope: Scope,
  { id: userId }: Who,
  id: string,
): Promise<Passkey | undefined> {
  const row = await scope
    .selectRows("passkeys", {
      id,
      user_id: userId,
    })
    .executeTakeFirst();
  return row && toPasskey(row);
}

export async function savePasskey(
  scope: Scope,
  { id, name, counter, lastUsedAt, challengedAt }: Passkey,
): Promise<void> {
  const change = columnsOf<"passkeys">({ name, counter, lastUsedAt, challengedAt });
  await scope.updateRows("passkeys", { id }, change);
}

/** @param id of one; all of the user's without it */
export async function deletePasskeys(scope: Scope, { id: userId }: Who, id?: string): Promise<void> {
  await scope.deleteRows("passkeys", { user_id: userId, ...(id !== undefined && { id }) });
}

const toObject = objectsOf("passkeys");

function toPasskey(row: Tables["passkeys"]): Passkey {
  return { ...toObject(row), publicKey: new Uint8Array(row.public_key) };
}
