// The table `sessions`: signed-in browsers and assistants of users.

import { hash, randomBytes } from "node:crypto";
import { dayMs, hourMs } from "../../campaign/calendar/durations.ts";
import { findOrganization, type Organization } from "../organizations/organizations.ts";
import type { Queries } from "../queries/queries.ts";
import { objectsOf, type RowObject } from "../queries/rows.ts";
import { Scope } from "../queries/scope.ts";
import { findUser, saveUser, type User } from "./users.ts";

export type Session = Omit<RowObject<"sessions">, "organizationId">;

const toSession = objectsOf("sessions");

/** A session expires this long after sign-in, and this long after its last use. */
export const sessionLifetimeMs = { absolute: 30 * dayMs, idle: 7 * dayMs } as const;

/** @returns the secret for the cookie, which contains the organization id and is not stored */
export async function addSession(
  scope: Scope,
  user: Pick<User, "id">,
  { client, now }: { client: string; now: number },
): Promise<string> {
  const secret = `${scope.organizationId}.${randomBytes(32).toString("base64url")}`;
  await insertSession(scope, user, { hash: hashSessionSecret(secret), client, now });
  return secret;
}

/** @param session.hash identifies it. No secret of a cookie has the hash of an assistant's session. */
export async function insertSession(
  scope: Scope,
  user: Pick<User, "id">,
  { hash, client, now }: { hash: string; client: string; now: number },
): Promise<void> {
  await scope
    .insert("sessions", {
      hash,
      user_id: user.id,
      created_at: now,
      last_seen_at: now,
      expires_at: now + sessionLifetimeMs.absolute,
      client,
    })
    .execute();
  await saveUser(scope, user, { last_visit_at: now });
}

/** The session of a cookie with its user; undefined if it has expired. */
export async function findSession(
  queries: Queries,
  secret: string,
  now: number,
): Promise<{ organization: Organization; user: User; session: Session } | undefined> {
  const organizationId = Number(/^([1-9]\d{0,15})\.[\w-]{43}$/.exec(secret)?.[1]);
  if (!Number.isSafeInteger(organizationId)) return undefined;
  const scope = new Scope(queries, organizationId);
  const session = await findOpenSession(scope, hashSessionSecret(secret), now);
  if (!session) return undefined;
  const [user, organization] = await Promise.all([findUser(scope, session.userId), findOrganization(scope)]);
  return organization && user && { organization, user, session };
}

/** The user of a session that has not expired. @param session the hash of its secret */
export async function findUserOfSession(
  scope: Scope,
  session: string,
  now: number,
): Promise<User | undefined> {
  const open = await findOpenSession(scope, session, now);
  return open && findUser(scope, open.userId);
}

async function findOpenSession(scope: Scope, session: string, now: number): Promise<Session | undefined> {
  const row = await scope
    .selectRows("sessions", {
      hash: session,
    })
    .executeTakeFirst();
  const hasExpired = !row || row.expires_at <= now || row.last_seen_at + sessionLifetimeMs.idle <= now;
  return hasExpired ? undefined : toSession(row);
}

/** Whether the use of a session has to be recorded: once an hour. */
export function shouldRecordUse({ lastSeenAt }: Session, now: number): boolean {
  return now - lastSeenAt >= hourMs;
}

export async function recordSessionUse(
  scope: Scope,
  user: Pick<User, "id">,
  session: string,
  now: number,
): Promise<void> {
  await scope.updateRows("sessions", { hash: session }, { last_seen_at: now });
  await saveUser(scope, user, { last_visit_at: now });
}

/** The sessions of an organization that have not expired, last used first. */
export async function listSessions(scope: Scope, now: number): Promise<Session[]> {
  const rows = await scope
    .selectRows("sessions")
    .where("expires_at", ">", now)
    .where("last_seen_at", ">", now - sessionLifetimeMs.idle)
    .orderBy("last_seen_at", "desc")
    .orderBy("hash")
    .execute();
  return rows.map(toSession);
}

/** Deletes a session. Returns whether it existed. */
export async function deleteSession(scope: Scope, session: string): Promise<boolean> {
  return (await scope.deleteRows("sessions", { hash: session })) > 0;
}

/** Deletes all sessions of a user. */
export async function deleteSessions(scope: Scope, { id }: Pick<User, "id">): Promise<void> {
  await scope.deleteRows("sessions", { user_id: id });
}

/** Deletes the expired sessions of an organization, and what assistants held until then. */
export async function deleteExpiredSessions(scope: Scope, now: number): Promise<void> {
  await scope.delete("oauth_records").where("expires_at", "<=", now).execute();
  await scope
    .delete("sessions")
    .where((where) =>
      where.or([where("expires_at", "<=", now), where("last_seen_at", "<=", now - sessionLifetimeMs.idle)]),
    )
    .execute();
}

export function hashSessionSecret(secret: string): string {
  return hash("sha256", secret);
}
