// What admins can do with the users of their organization, on the people page and on the command line.

import { readEmail } from "../../access/email.ts";
import type { Role } from "../../access/role.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { AppError } from "../../errors.ts";
import { addOrganization, listOrganizations } from "../organizations/organizations.ts";
import { lockOrganizations } from "../queries/dialect-differences.ts";
import type { Queries } from "../queries/queries.ts";
import { Scope } from "../queries/scope.ts";
import { inviteUser } from "./passwords.ts";
import { removeSecondFactor } from "./second-factors.ts";
import { deleteSessions } from "./sessions.ts";
import { addUser, deleteUser, findUserByEmail, listUsers, saveUser, type User } from "./users.ts";

/** The messages for changes that are rejected. The page, in each language, and the command line have their own. */
export interface UserMessages {
  invalid(quoted: string): string;
  /** The email belongs to a user of the organization. */
  taken(quoted: string): string;
  /** The email belongs to a user of another organization, which the message must not name. */
  takenElsewhere(quoted: string): string;
  lastAdmin(email: string): string;
}

type EmailMessages = Pick<UserMessages, "invalid" | "taken" | "takenElsewhere">;

/**
 * Adds a user, who chooses a password with an invite link.
 *
 * @param options.email as it was typed
 * @returns the user and the secret of the invite link
 * @throws AppError `bad_request` if the email is invalid, `conflict` if any organization has a user with it
 */
export async function inviteNewUser(
  scope: Scope,
  { email: typed, role, now, messages }: { email: string; role: Role; now: number; messages: EmailMessages },
): Promise<{ user: User; secret: string }> {
  const email = readEmail(typed);
  if (email === undefined) throw new AppError("bad_request", messages.invalid(quote(typed)));
  const existing = await findUserByEmail(scope.queries, email);
  if (existing) {
    const isHere = existing.user.organizationId === scope.organizationId;
    throw new AppError("conflict", (isHere ? messages.taken : messages.takenElsewhere)(quote(email)));
  }
  const user = await addUser(scope, { email, role, now });
  return { user, secret: await inviteUser(scope, user, now) };
}

/**
 * Adds the first organization with its first admin.
 *
 * @returns undefined, and adds nothing, if there is an organization
 * @throws AppError `bad_request` if the email is invalid
 */
export async function addFirstOrganization(
  queries: Queries,
  {
    name,
    timeZone,
    email,
    now,
    messages,
  }: { name: string; timeZone: string; email: string; now: number; messages: EmailMessages },
): Promise<{ user: User; secret: string } | undefined> {
  await lockOrganizations(queries);
  if ((await listOrganizations(queries)).length > 0) return undefined;
  const { id: organizationId } = await addOrganization(queries, { name, timeZone, now });
  return inviteNewUser(new Scope(queries, organizationId), { email, role: "admin", now, messages });
}

/** @throws AppError `conflict` if the user is the last admin */
export async function changeUserRole(
  scope: Scope,
  user: User,
  role: Role,
  messages: Pick<UserMessages, "lastAdmin">,
): Promise<void> {
  if (role === user.role) return;
  const { admins } = await countOthers(scope, user);
  if (user.role === "admin" && admins === 0) {
    throw new AppError("conflict", messages.lastAdmin(user.email));
  }
  await saveUser(scope, user, { role });
}

/** Deletes a user's password and sessions. @returns the secret of a new invite link */
export async function resetUserPassword(scope: Scope, user: User, now: number): Promise<string> {
  await saveUser(scope, user, { password: null });
  await deleteSessions(scope, user);
  return inviteUser(scope, user, now);
}

/** Removes the second factor of a user who lost it, and ends the sessions. */
export async function resetSecondFactor(scope: Scope, user: User): Promise<void> {
  await removeSecondFactor(scope, user);
  await deleteSessions(scope, user);
}

/**
 * @param messages.lastUser the message if the user is the last of the organization; without it, that one can be removed
 * @throws AppError `conflict` if other users would be left without an admin
 */
export async function removeUser(
  scope: Scope,
  user: User,
  messages: Pick<UserMessages, "lastAdmin"> & { lastUser?: (email: string) => string },
): Promise<void> {
  const { admins, all } = await countOthers(scope, user);
  if (messages.lastUser && all === 0) throw new AppError("conflict", messages.lastUser(user.email));
  if (user.role === "admin" && admins === 0 && all > 0) {
    throw new AppError("conflict", messages.lastAdmin(user.email));
  }
  await deleteUser(scope, user);
}

async function countOthers(scope: Scope, { id }: User) {
  const others = (await listUsers(scope)).filter((each) => each.id !== id);
  return { all: others.length, admins: others.filter(({ role }) => role === "admin").length };
}
