// The table `oauth_records`: what assistants hold while a user lets them read (OAuth 2.1). Their grants are sessions.

import { hash } from "node:crypto";
import { findOrganization, type Organization } from "../organizations/organizations.ts";
import type { Queries } from "../queries/queries.ts";
import { Scope } from "../queries/scope.ts";
import { deleteSession, findUserOfSession, recordSessionUse } from "./sessions.ts";
import type { User } from "./users.ts";

/** A record as `oidc-provider` reads it: times are seconds since 1970. Some of its many fields are named here. */
interface OAuthPayload {
  jti?: string | undefined;
  grantId?: string | undefined;
  aud?: unknown;
  consumed?: unknown;
  [name: string]: unknown;
}

/** The kind of record and its id, which starts with the organization; for a code or token, the secret itself. */
interface RecordKey {
  kind: string;
  id: string;
}

const hashOf = ({ kind, id }: RecordKey) => hash("sha256", `${kind}\n${id}`);

/** The hash of the session of a grant. */
export const sessionOfGrant = (id: string): string => hashOf({ kind: "Grant", id });

/** The organization with which ids and tokens start; 0, which is none, for other texts. */
export const organizationOfRecord = (id: string) => Number(/^([1-9]\d{0,14})\./.exec(id)?.[1] ?? 0);

/** Saves a record again or for the first time. A new refresh token is a use of its session. */
export async function saveOAuthRecord(
  scope: Scope,
  key: RecordKey,
  {
    user,
    payload: { jti: _jti, ...payload },
    expiresAt,
    now,
  }: { user: Pick<User, "id">; payload: OAuthPayload; expiresAt: number; now: number },
): Promise<void> {
  const session = payload.grantId === undefined ? "" : sessionOfGrant(payload.grantId);
  const row = { session, payload: JSON.stringify(payload), expires_at: expiresAt };
  await scope
    .insert("oauth_records", { hash: hashOf(key), user_id: user.id, consumed_at: null, ...row })
    .onConflict((conflict) => conflict.columns(["organization_id", "hash"]).doUpdateSet(row))
    .execute();
  if (key.kind === "RefreshToken") await recordSessionUse(scope, user, session, now);
}

/** A record that has not expired, and whose session has not ended. */
export async function findOAuthRecord(
  scope: Scope,
  key: RecordKey,
  now: number,
): Promise<OAuthPayload | undefined> {
  const row = await scope.selectRows("oauth_records", { hash: hashOf(key) }).executeTakeFirst();
  if (!row || row.expires_at <= now) return undefined;
  const session = key.kind === "Grant" ? row.hash : row.session;
  if (session !== "" && !(await findUserOfSession(scope, session, now))) return undefined;
  const payload: OAuthPayload = JSON.parse(row.payload);
  const consumed = row.consumed_at !== null && { consumed: Math.floor(row.consumed_at / 1000) };
  return { ...payload, ...consumed };
}

/** Notes the use of a code or refresh token. @returns whether it was the first */
export async function consumeOAuthRecord(scope: Scope, key: RecordKey, now: number): Promise<boolean> {
  const { numUpdatedRows } = await scope
    .update("oauth_records")
    .set({ consumed_at: now })
    .where("hash", "=", hashOf(key))
    .where("consumed_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) > 0;
}

export async function deleteOAuthRecord(scope: Scope, key: RecordKey): Promise<void> {
  await scope.deleteRows("oauth_records", { hash: hashOf(key) });
}

/** Ends the session of a grant, and deletes its tokens. */
export async function deleteOAuthGrant(scope: Scope, id: string): Promise<void> {
  const session = sessionOfGrant(id);
  await deleteSession(scope, session);
  await scope.deleteRows("oauth_records", { session });
}

/** The organization that an assistant may read; undefined if the token is not for this resource, or its session has ended. */
export async function findOrganizationOfAccessToken(
  queries: Queries,
  token: string,
  { resource, now }: { resource: string; now: number },
): Promise<Organization | undefined> {
  const scope = new Scope(queries, organizationOfRecord(token));
  const record = await findOAuthRecord(scope, { kind: "AccessToken", id: token }, now);
  return record?.aud === resource ? findOrganization(scope) : undefined;
}
