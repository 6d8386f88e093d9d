// The table `users`: the people who may sign in to the web application.

import { type NotificationKind, parseKinds } from "../../access/notification-kinds.ts";
import type { Role } from "../../access/role.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { AppError } from "../../errors.ts";
import { claimEmail, findOrganizationOfEmail, releaseEmail } from "../organizations/user-emails.ts";
import { nextId } from "../queries/ids.ts";
import type { Queries } from "../queries/queries.ts";
import { objectsOf, type RowObject } from "../queries/rows.ts";
import { Scope } from "../queries/scope.ts";
import type { Tables } from "../tables/tables.ts";

type UserColumn = "organizationId" | "id" | "email" | "role" | "createdAt" | "language";

export interface User extends Pick<RowObject<"users">, UserColumn> {
  hasPassword: boolean;
  /** Whether sign-in with the password asks for a code. */
  hasSecondFactor: boolean;
  /** When the invite link expires; undefined without one. */
  inviteExpiresAt: number | undefined;
  lastVisitAt: number | undefined;
  /** The mail that the user chose. */
  notifications: NotificationKind[];
}

/** @throws AppError `conflict` if a user of any organization has the email */
export async function addUser(
  scope: Scope,
  { email, role, now }: { email: string; role: Role; now: number },
): Promise<User> {
  if (!(await claimEmail(scope, email))) {
    throw new AppError(
      "conflict",
      `A user with the email ${quote(email)} already exists. An email belongs to one user only.`,
    );
  }
  const row = await scope
    .insert("users", {
      id: await nextId(scope.queries, "users"),
      email,
      role,
      created_at: now,
      notifications: "digest",
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toUser(row);
}

/** All users of an organization, by email. */
export async function listUsers(scope: Scope): Promise<User[]> {
  return (await scope.selectRows("users").orderBy("email").execute()).map(toUser);
}

export async function findUser(scope: Scope, id: number): Promise<User | undefined> {
  const row = await scope.selectRows("users", { id }).executeTakeFirst();
  return row && toUser(row);
}

/**
 * The user with an email, of any organization: before sign-in the organization is unknown.
 *
 * @param email normalized by {@link normalizeEmail}
 */
export async function findUserByEmail(
  queries: Queries,
  email: string,
): Promise<{ user: User; password: string | undefined } | undefined> {
  const organizationId = await findOrganizationOfEmail(queries, email);
  if (organizationId === undefined) return undefined;
  const scope = new Scope(queries, organizationId);
  const row = await scope.selectRows("users", { email }).executeTakeFirst();
  return row && { user: toUser(row), password: row.password ?? undefined };
}

export type Who = Pick<User, "id">;

/** Changes columns of a user. */
export async function saveUser(
  scope: Scope,
  { id }: Who,
  change: Partial<Omit<Tables["users"], "organization_id">>,
): Promise<void> {
  await scope.updateRows("users", { id }, change);
}

export async function changeNotifications(
  scope: Scope,
  user: Who,
  notifications: User["notifications"],
): Promise<void> {
  await saveUser(scope, user, { notifications: notifications.join(" ") });
}

/** Deletes a user; the foreign key deletes their sessions. */
export async function deleteUser(scope: Scope, { id, email }: Pick<User, "id" | "email">): Promise<void> {
  await releaseEmail(scope, email);
  await scope.deleteRows("users", { id });
}

const toObject = objectsOf("users");

export function toUser(row: Tables["users"]): User {
  const { organizationId, id, email, role, createdAt, language, ...others } = toObject(row);
  return {
    organizationId,
    id,
    email,
    role,
    createdAt,
    language,
    hasPassword: others.password !== null,
    hasSecondFactor: others.totpSecret !== null,
    inviteExpiresAt: others.inviteExpiresAt ?? undefined,
    lastVisitAt: others.lastVisitAt ?? undefined,
    notifications: parseKinds(others.notifications),
  };
}
