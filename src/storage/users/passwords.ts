// The password columns of the table `users`: the password hash, and the invite link to choose a password.

import { hash, randomBytes } from "node:crypto";
import { dayMs } from "../../campaign/calendar/durations.ts";
import type { Scope } from "../queries/scope.ts";
import { saveUser, toUser, type User, type Who } from "./users.ts";

/** How long an invite link can be used. */
export const inviteLifetimeMs = 7 * dayMs;

const noLinks = { invite_hash: null, invite_expires_at: null, reset_hash: null, reset_expires_at: null };
const kinds = ["invite", "reset"] as const;

/**
 * Creates an invite link, with which the user can choose a password once. It replaces any earlier link; the current
 * password stays valid until then.
 *
 * @param kind `reset` if anyone can have asked for it: then it replaces only an earlier one of this kind
 * @returns the secret of the link, which is not stored
 */
export async function inviteUser(
  scope: Scope,
  user: Who,
  now: number,
  kind: (typeof kinds)[number] = "invite",
): Promise<string> {
  const secret = randomBytes(32).toString("hex");
  const link = { [`${kind}_hash`]: hash("sha256", secret), [`${kind}_expires_at`]: now + inviteLifetimeMs };
  await saveUser(scope, user, kind === "invite" ? { ...noLinks, ...link } : link);
  return secret;
}

/** The user of an invite link; undefined if it was used, was replaced or has expired. */
export async function findInvitedUser(
  scope: Scope,
  { secret, now }: { secret: string; now: number },
): Promise<User | undefined> {
  for (const kind of kinds) {
    const row = await scope
      .selectRows("users", {
        [`${kind}_hash`]: hash("sha256", secret),
      })
      .where(`${kind}_expires_at`, ">", now)
      .executeTakeFirst();
    if (row) return toUser(row);
  }
  return undefined;
}

/** The password hash of a user; undefined without such a user or without a password. */
export async function findPasswordHash(scope: Scope, { id }: Who): Promise<string | undefined> {
  const row = await scope.from("users").select("password").where("id", "=", id).executeTakeFirst();
  return row?.password ?? undefined;
}

/** Sets a password hash and uses up the links. The caller ends the sessions. */
export async function setPassword(scope: Scope, user: Who, password: string): Promise<void> {
  await saveUser(scope, user, { password, ...noLinks });
}
