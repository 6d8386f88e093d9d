// The table `users`, as far as signing in with a password goes: its slow hash, and the invitation to choose one.

import { hash, randomBytes } from "node:crypto";
import { dayMs } from "../campaign/calendar/durations.ts";
import type { Queries } from "./database.ts";
import { toUser, type User } from "./users.ts";

type Who = Pick<User, "organizationId" | "id">;

/** An invitation can be used for so long. */
export const inviteLifetimeMs = 7 * dayMs;

/**
 * Lets the user choose a password once, in place of any earlier invitation; the password that they have, if any, holds
 * until then.
 *
 * @returns the secret for the address, which is kept nowhere
 */
export async function inviteUser(
  queries: Queries,
  { organizationId, id }: Who,
  now: number,
): Promise<string> {
  const secret = randomBytes(32).toString("hex");
  await queries
    .updateTable("users")
    .set({ invite_hash: hash("sha256", secret), invite_expires_at: now + inviteLifetimeMs })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .execute();
  return secret;
}

/** Whose invitation it is; undefined where it was used, replaced, or is too old. */
export async function findInvitedUser(
  queries: Queries,
  { organizationId, secret, now }: { organizationId: number; secret: string; now: number },
): Promise<User | undefined> {
  const row = await queries
    .selectFrom("users")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("invite_hash", "=", hash("sha256", secret))
    .where("invite_expires_at", ">", now)
    .executeTakeFirst();
  return row && toUser(row);
}

/** The slow hash of a user's password; undefined where there is no such user, or none was chosen. */
export async function findPasswordHash(
  queries: Queries,
  { organizationId, id }: Who,
): Promise<string | undefined> {
  const row = await queries
    .selectFrom("users")
    .select("password")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.password ?? undefined;
}

/** The password that the user has, if any, holds no more. Sessions are ended by the caller. */
export async function clearPassword(queries: Queries, { organizationId, id }: Who): Promise<void> {
  await queries
    .updateTable("users")
    .set({ password: null })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .execute();
}

/** The invitation is used up. Sessions are ended by the caller. @param password its slow hash */
export async function setPassword(
  queries: Queries,
  { organizationId, id }: Who,
  password: string,
): Promise<void> {
  await queries
    .updateTable("users")
    .set({ password, invite_hash: null, invite_expires_at: null })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .execute();
}
