// The table `api_keys`. A key is shown once and stored as a hash.

import { hash } from "node:crypto";
import { type ApiKey, apiKeyPrefix, generateApiKey, type StoredScope } from "../../access/api-key.ts";
import { minuteMs } from "../../campaign/calendar/durations.ts";
import { findSameName } from "../../campaign/fields/names.ts";
import { type Organization, toOrganization } from "../organizations/organizations.ts";
import { nextId } from "../queries/ids.ts";
import { prepare } from "../queries/prepare.ts";
import type { Queries } from "../queries/queries.ts";
import { objectsOf, type RowObject } from "../queries/rows.ts";
import type { Scope } from "../queries/scope.ts";

export type StoredApiKey = Omit<RowObject<"api_keys">, "organizationId" | "hash">;

/** Creates a key. This is the only time that its text is known. */
export async function addApiKey(
  own: Scope,
  {
    name,
    scope = "read",
    region,
    createdBy = null,
    expiresAt = null,
    selection = null,
    campaignId = null,
    sender,
    now,
  }: {
    name: string;
    scope?: StoredScope;
    region: string;
    createdBy?: string | null;
    expiresAt?: number | null;
    selection?: string | null;
    campaignId?: number | null;
    /** The sender of the key that it replaces; its own id by default. */
    sender?: number | undefined;
    now: number;
  },
): Promise<{ id: number; text: string }> {
  const id = await nextId(own.queries, "api_keys");
  const text = generateApiKey(region, own.organizationId);
  await own
    .insert("api_keys", {
      id,
      name,
      prefix: apiKeyPrefix(text),
      hash: hashOf(text),
      scope,
      created_at: now,
      created_by: createdBy,
      expires_at: expiresAt,
      selection,
      campaign_id: campaignId,
      sender: sender ?? id,
    })
    .execute();
  return { id, text };
}

export async function listApiKeys(scope: Scope): Promise<StoredApiKey[]> {
  const rows = await scope.selectRows("api_keys").orderBy("id").execute();
  return rows.map((row) => {
    const { organizationId: _organization, hash: _hash, ...key } = toObject(row);
    return key;
  });
}

const toObject = objectsOf("api_keys");

/** Tools can use both the old key and the new one for this many days. */
export const defaultOverlapDays = 7;

/**
 * Creates a key that replaces another, with its name, its scope and its lifetime. The other one goes on working for a while.
 * A key that a user makes is another sender, because the user knows it.
 *
 * @param overlapMs how long both work; no longer than the old one would have worked
 */
export async function rollApiKey(
  own: Scope,
  { id, name, scope, createdAt, expiresAt, sender: of }: StoredApiKey,
  { overlapMs, ...by }: { region: string; createdBy?: string | null; overlapMs: number; now: number },
): Promise<{ id: number; text: string; expiresAt: number | null; oldExpiresAt: number }> {
  const lifetime = expiresAt === null ? null : by.now + (expiresAt - createdAt);
  const oldExpiresAt = Math.min(expiresAt ?? Infinity, by.now + overlapMs);
  await own.updateRows("api_keys", { id }, { expires_at: oldExpiresAt });
  const sender = by.createdBy ? undefined : of;
  const added = await addApiKey(own, {
    ...by,
    name,
    scope,
    expiresAt: lifetime,
    sender,
  });
  return { ...added, expiresAt: lifetime, oldExpiresAt };
}

/** The key with a name, or one that differs only in letter case. Keys that have expired do not count. */
export async function findKeyByName(
  scope: Scope,
  { name, now }: { name: string; now: number },
): Promise<StoredApiKey | undefined> {
  const keys = await listApiKeys(scope);
  return findSameName(
    keys.filter(({ expiresAt }) => expiresAt === null || expiresAt > now),
    name,
  );
}

const selectOrganizationOfKey = prepare((queries) =>
  queries
    .selectFrom("api_keys")
    .innerJoin("organizations", "organizations.id", "api_keys.organization_id")
    .selectAll("organizations")
    .select([
      "api_keys.scope",
      "api_keys.id as key_id",
      "api_keys.name as key_name",
      "api_keys.sender",
      "api_keys.expires_at",
      "api_keys.selection",
    ])
    .where("api_keys.organization_id", "=", 0)
    .where("api_keys.hash", "=", "")
    .compile(),
);

export interface FoundKey {
  organization: Organization;
  scope: StoredScope;
  keyId: number;
  keyName: string;
  sender: number;
  expiresAt: number | null;
  selection: string | null;
}

/** A key and its organization; undefined if the key was deleted or never existed. */
export async function findOrganizationOfKey(queries: Queries, key: ApiKey): Promise<FoundKey | undefined> {
  const [row] = await selectOrganizationOfKey({ queries }, [key.organizationId, hashOf(key.text)]);
  if (!row) return undefined;
  const { scope, key_id: keyId, key_name: keyName, sender, selection } = row;
  const { expires_at: expiresAt } = row;
  return { organization: toOrganization(row), scope, keyId, keyName, sender, expiresAt, selection };
}

/** The use of a key within about a minute. Times are milliseconds since 1970. */
export interface KeyUse {
  firstAt: number;
  /** The User-Agent of the first request; empty if it had none. */
  client: string;
  lastAt: number;
}

/** Records when a key was used, and its first use. The organization must be locked. */
export async function recordKeyUse(
  scope: Scope,
  id: number,
  { firstAt, client, lastAt }: KeyUse,
): Promise<void> {
  const key = await scope.from("api_keys").select("last_used_at").where("id", "=", id).executeTakeFirst();
  if (!key) return;
  const change = {
    last_used_at: Math.max(key.last_used_at ?? 0, lastAt - (lastAt % minuteMs)),
    ...(key.last_used_at === null && { first_used_at: firstAt, first_client: client }),
  };
  await scope.updateRows("api_keys", { id }, change);
}

/** Deletes a key; the next request with it is refused. Returns whether it existed. */
export async function deleteApiKey(scope: Scope, id: number): Promise<boolean> {
  return (await scope.deleteRows("api_keys", { id })) > 0;
}

/** A fast hash is enough: a key has 190 random bits. Looking up a hash leaks nothing through timing. */
function hashOf(text: string): string {
  return hash("sha256", text);
}
