// The table `passkeys`: the public keys with which users sign in without a password.

import type { Queries } from "./database.ts";
import type { Who } from "./passwords.ts";
import type { Tables } from "./tables.ts";

interface Passkey {
  /** The credential's id in base64url. */
  id: string;
  userId: number;
  name: string;
  /** COSE key. */
  publicKey: Uint8Array<ArrayBuffer>;
  /** How often it was used, as it says; 0 if it does not count. */
  counter: number;
  createdAt: number;
  lastUsedAt: number | null;
  /** When the challenge of its last use was made: each challenge is accepted once. */
  challengedAt: number;
}

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
  const rows = await queries
    .selectFrom("passkeys")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", id)
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
  const row = await queries
    .selectFrom("passkeys")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row && toPasskey(row);
}

export async function savePasskey(
  queries: Queries,
  organizationId: number,
  { id, name, counter, lastUsedAt, challengedAt }: Passkey,
): Promise<void> {
  await queries
    .updateTable("passkeys")
    .set({ name, counter, last_used_at: lastUsedAt, challenged_at: challengedAt })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .execute();
}

/** @param id of one; all of the user's without it */
export async function deletePasskeys(
  queries: Queries,
  { organizationId, id: userId }: Who,
  id?: string,
): Promise<void> {
  const all = queries
    .deleteFrom("passkeys")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId);
  await (id === undefined ? all : all.where("id", "=", id)).execute();
}

function toPasskey(row: Tables["passkeys"]): Passkey {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    publicKey: new Uint8Array(row.public_key),
    counter: row.counter,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    challengedAt: row.challenged_at,
  };
}
