// Who belongs to an organization, and as what: what admins may do with people, on the page as by commands.

import type { Role } from "../../../access/role.ts";
import { quote } from "../../../campaign/quote.ts";
import { AppError } from "../../../errors.ts";
import type { Queries } from "../../../storage/database.ts";
import { clearPassword, inviteUser } from "../../../storage/passwords.ts";
import { deleteSessions } from "../../../storage/sessions.ts";
import {
  addUser,
  changeRole,
  deleteUser,
  findUsersByEmail,
  listUsers,
  readEmail,
  type User,
} from "../../../storage/users.ts";

/** How it is said what is wrong with an email, which commands and pages say each in its own way. */
export interface EmailWords {
  /** It is no email. */
  none(quoted: string): string;
  /** It leads to a user of the organization already. */
  here(quoted: string): string;
  /** It leads to a user of another organization: of which one is not said. */
  elsewhere(quoted: string): string;
}

/**
 * Adds somebody, who chooses a password at a one-time address.
 *
 * @param email as it was typed
 * @returns the secret for the address, too
 * @throws Refusal `bad_request` where it is no email, `conflict` where it leads to a user already, of whichever
 *   organization
 */
export async function addPerson(
  queries: Queries,
  {
    organizationId,
    email: typed,
    role,
    now,
    words,
  }: { organizationId: number; email: string; role: Role; now: number; words: EmailWords },
): Promise<{ user: User; secret: string }> {
  const email = readEmail(typed);
  if (email === undefined) throw new AppError("bad_request", words.none(quote(typed)));
  const known = await findUsersByEmail(queries, email);
  if (known.length > 0) {
    const isHere = known.some(({ user }) => user.organizationId === organizationId);
    throw new AppError("conflict", (isHere ? words.here : words.elsewhere)(quote(email)));
  }
  const user = await addUser(queries, { organizationId, email, role, now });
  return { user, secret: await inviteUser(queries, user, now) };
}

/** @throws Refusal `conflict` where nobody would be left who may change it back */
export async function changePersonsRole(queries: Queries, user: User, role: Role): Promise<void> {
  if (role === user.role) return;
  const { admins } = await othersThan(queries, user);
  if (user.role === "admin" && admins === 0) refuseLastAdmin(user);
  await changeRole(queries, user, role);
}

/** Ends what the person has: password and sessions. @returns the secret for the address to choose a new one at */
export async function resetPerson(queries: Queries, user: User, now: number): Promise<string> {
  await clearPassword(queries, user);
  await deleteSessions(queries, user);
  return inviteUser(queries, user, now);
}

/**
 * @param keepsLast whether the last one of all stays
 * @throws Refusal `conflict` where others would be left without an admin
 */
export async function removePerson(
  queries: Queries,
  user: User,
  { keepsLast = false }: { keepsLast?: boolean } = {},
): Promise<void> {
  const { admins, all } = await othersThan(queries, user);
  if (keepsLast && all === 0) {
    throw new AppError(
      "conflict",
      "You are the last one. Whoever runs the service can remove you by a command.",
    );
  }
  if (user.role === "admin" && admins === 0 && all > 0) refuseLastAdmin(user);
  await deleteUser(queries, user.organizationId, user.id);
}

async function othersThan(queries: Queries, { organizationId, id }: User) {
  const others = (await listUsers(queries, organizationId)).filter((each) => each.id !== id);
  return { all: others.length, admins: others.filter(({ role }) => role === "admin").length };
}

function refuseLastAdmin({ email }: User): never {
  throw new AppError("conflict", `${email} is the last admin; make somebody else an admin first`);
}
