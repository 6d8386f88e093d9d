// The table `users`: the people who may sign in to the web application.

import { type NotificationKind, parseKinds } from "../../access/notification-kinds.ts";
import type { Role } from "../../access/role.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { AppError } from "../../errors.ts";
import { claimEmail, findOrganizationOfEmail, releaseEmail } from "../organizations/user-emails.ts";
import type { Queries } from "../queries/database.ts";
import { nextId } from "../queries/ids.ts";
import { deleteRows, objectsOf, type RowObject, selectRows, updateRows } from "../queries/rows.ts";
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
  queries: Queries,
  { organizationId, email, role, now }: { organizationId: number; email: string; role: Role; now: number },
): Promise<User> {
  if (!(await claimEmail(queries, email, organizationId))) {
    throw new AppError(
      "conflict",
      `A user with the email ${quote(email)} already exists. An email belongs to one user only.`,
    );
  }
  const row = await queries
    .insertInto("users")
    .values({
      ...{ organization_id: organizationId, id: await nextId(queries, "users"), email, role },
      ...{ created_at: now, notifications: "digest" },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toUser(row);
}

/** All users of an organization, by email. */
export async function listUsers(queries: Queries, organizationId: number): Promise<User[]> {
  const rows = await selectRows(queries, "users", { organization_id: organizationId })
    .orderBy("email")
    .execute();
  return rows.map(toUser);
}

export async function findUser(
  queries: Queries,
  organizationId: number,
  id: number,
): Promise<User | undefined> {
  const row = await selectRows(queries, "users", { organization_id: organizationId, id }).executeTakeFirst();
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
  const row = await selectRows(queries, "users", {
    organization_id: organizationId,
    email,
  }).executeTakeFirst();
  return row && { user: toUser(row), password: row.password ?? undefined };
}

export type Who = Pick<User, "organizationId" | "id">;

/** Changes columns of a user. */
export async function saveUser(
  queries: Queries,
  { organizationId, id }: Who,
  change: Partial<Tables["users"]>,
): Promise<void> {
  await updateRows(queries, "users", { organization_id: organizationId, id }, change);
}

export async function changeRole(queries: Queries, user: Who, role: Role): Promise<void> {
  await saveUser(queries, user, { role });
}

export async function changeLanguage(queries: Queries, user: Who, language: User["language"]): Promise<void> {
  await saveUser(queries, user, { language });
}

export async function changeNotifications(
  queries: Queries,
  user: Who,
  notifications: User["notifications"],
): Promise<void> {
  await saveUser(queries, user, { notifications: notifications.join(" ") });
}

/** Deletes a user; the foreign key deletes their sessions. */
export async function deleteUser(
  queries: Queries,
  { organizationId, id, email }: Pick<User, "organizationId" | "id" | "email">,
): Promise<void> {
  await releaseEmail(queries, email, organizationId);
  await deleteRows(queries, "users", { organization_id: organizationId, id });
}

export async function recordVisit(queries: Queries, user: Who, now: number): Promise<void> {
  await saveUser(queries, user, { last_visit_at: now });
}

const toObject = objectsOf("users");

export function toUser(row: Tables["users"]): User {
  const { organizationId, id, email, role, createdAt, language, ...others } = toObject(row);
  return {
    ...{ organizationId, id, email, role, createdAt, language },
    hasPassword: others.password !== null,
    hasSecondFactor: others.totpSecret !== null,
    inviteExpiresAt: others.inviteExpiresAt ?? undefined,
    lastVisitAt: others.lastVisitAt ?? undefined,
    notifications: parseKinds(others.notifications),
  };
}
