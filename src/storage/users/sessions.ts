// The table `sessions`: signed-in browsers of users.

import { hash, randomBytes } from "node:crypto";
import { dayMs, hourMs } from "../../campaign/calendar/durations.ts";
import { findOrganization, type Organization } from "../organizations/organizations.ts";
import type { Queries } from "../queries/database.ts";
import { deleteRows, objectsOf, type RowObject, selectRows, updateRows } from "../queries/rows.ts";
import { findUser, recordVisit, type User } from "./users.ts";

export type Session = Omit<RowObject<"sessions">, "organizationId">;

const toSession = objectsOf("sessions");

/** A session expires this long after sign-in, and this long after its last use. */
export const sessionLifetimeMs = { absolute: 30 * dayMs, idle: 7 * dayMs } as const;

/** @returns the secret for the cookie, which contains the organization id and is not stored */
export async function addSession(
  queries: Queries,
  user: Pick<User, "organizationId" | "id">,
  { client, now }: { client: string; now: number },
): Promise<string> {
  const secret = `${user.organizationId}.${randomBytes(32).toString("base64url")}`;
  await queries
    .insertInto("sessions")
    .values({
      organization_id: user.organizationId,
      hash: hashSessionSecret(secret),
      user_id: user.id,
      created_at: now,
      last_seen_at: now,
      expires_at: now + sessionLifetimeMs.absolute,
      client,
    })
    .execute();
  await recordVisit(queries, user, now);
  return secret;
}

/** The session of a cookie with its user; undefined if it has expired. */
export async function findSession(
  queries: Queries,
  secret: string,
  now: number,
): Promise<{ organization: Organization; user: User; session: Session } | undefined> {
  const organizationId = Number(/^([1-9]\d{0,15})\.[\w-]{43}$/.exec(secret)?.[1]);
  if (!Number.isSafeInteger(organizationId)) return undefined;
  const session = await findOpenSession(queries, organizationId, hashSessionSecret(secret), now);
  if (!session) return undefined;
  const [user, organization] = await Promise.all([
    findUser(queries, organizationId, session.userId),
    findOrganization(queries, organizationId),
  ]);
  return organization && user && { organization, user, session };
}

/** The user of a session that has not expired. @param session the hash of its secret */
export async function findUserOfSession(
  queries: Queries,
  organizationId: number,
  session: string,
  now: number,
): Promise<User | undefined> {
  const found = await findOpenSession(queries, organizationId, session, now);
  return found && findUser(queries, organizationId, found.userId);
}

async function findOpenSession(
  queries: Queries,
  organizationId: number,
  session: string,
  now: number,
): Promise<Session | undefined> {
  const row = await selectRows(queries, "sessions", {
    organization_id: organizationId,
    hash: session,
  }).executeTakeFirst();
  const hasExpired = !row || row.expires_at <= now || row.last_seen_at + sessionLifetimeMs.idle <= now;
  return hasExpired ? undefined : toSession(row);
}

/** Whether the use of a session has to be recorded: once an hour. */
export function shouldRecordUse({ lastSeenAt }: Session, now: number): boolean {
  return now - lastSeenAt >= hourMs;
}

export async function recordSessionUse(
  queries: Queries,
  user: Pick<User, "organizationId" | "id">,
  session: string,
  now: number,
): Promise<void> {
  const key = { organization_id: user.organizationId, hash: session };
  await updateRows(queries, "sessions", key, { last_seen_at: now });
  await recordVisit(queries, user, now);
}

/** The sessions of an organization that have not expired, last used first. */
export async function listSessions(
  queries: Queries,
  organizationId: number,
  now: number,
): Promise<Session[]> {
  const rows = await selectRows(queries, "sessions", { organization_id: organizationId })
    .where("expires_at", ">", now)
    .where("last_seen_at", ">", now - sessionLifetimeMs.idle)
    .orderBy("last_seen_at", "desc")
    .orderBy("hash")
    .execute();
  return rows.map(toSession);
}

/** Deletes a session. Returns whether it existed. */
export async function deleteSession(
  queries: Queries,
  organizationId: number,
  session: string,
): Promise<boolean> {
  return (await deleteRows(queries, "sessions", { organization_id: organizationId, hash: session })) > 0;
}

/** Deletes all sessions of a user. */
export async function deleteSessions(
  queries: Queries,
  { organizationId, id }: Pick<User, "organizationId" | "id">,
): Promise<void> {
  await deleteRows(queries, "sessions", { organization_id: organizationId, user_id: id });
}

/** Deletes the expired sessions of an organization. */
export async function deleteExpiredSessions(
  queries: Queries,
  organizationId: number,
  now: number,
): Promise<void> {
  await queries
    .deleteFrom("sessions")
    .where("organization_id", "=", organizationId)
    .where((where) =>
      where.or([where("expires_at", "<=", now), where("last_seen_at", "<=", now - sessionLifetimeMs.idle)]),
    )
    .execute();
}

export function hashSessionSecret(secret: string): string {
  return hash("sha256", secret);
}
