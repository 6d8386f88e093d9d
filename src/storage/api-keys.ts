// The table `api_keys`: who may read an organization's records, and who may send events. A key is shown once and kept as a hash.

import { hash } from "node:crypto";
import { type ApiKey, apiKeyPrefix, generateApiKey, type KeyScope } from "../access/api-key.ts";
import { chunks, type Queries } from "./database.ts";
import { nextId } from "./ids.ts";
import { type Organization, toOrganization } from "./organizations.ts";
import { prepare } from "./prepare.ts";

export interface StoredApiKey {
  id: number;
  name: string;
  /** The first characters of the key, to recognise it by. */
  prefix: string;
  scope: KeyScope;
  createdAt: number;
  /** The email of who made it in the web application; null where it was made by a command. */
  createdBy: string | null;
  /** The beginning of the last hour in which it was used, as far as it was noted; null before its first use. */
  lastUsedAt: number | null;
}

/** Makes a key. Its text is returned this once and never again. */
export async function addApiKey(
  queries: Queries,
  {
    organizationId,
    name,
    scope = "read",
    region,
    createdBy = null,
    now,
  }: {
    organizationId: number;
    name: string;
    scope?: KeyScope;
    region: string;
    createdBy?: string | null;
    now: number;
  },
): Promise<{ id: number; text: string }> {
  const id = await nextId(queries, "api_keys");
  const text = generateApiKey(region, organizationId);
  await queries
    .insertInto("api_keys")
    .values({
      organization_id: organizationId,
      id,
      name,
      prefix: apiKeyPrefix(text),
      hash: hashOf(text),
      scope,
      created_at: now,
      created_by: createdBy,
    })
    .execute();
  return { id, text };
}

export async function listApiKeys(queries: Queries, organizationId: number): Promise<StoredApiKey[]> {
  return queries
    .selectFrom("api_keys")
    .select(["id", "name", "prefix", "scope"])
    .select(["created_at as createdAt", "created_by as createdBy", "last_used_at as lastUsedAt"])
    .where("organization_id", "=", organizationId)
    .orderBy("id")
    .execute();
}

const selectOrganizationOfKey = prepare((queries) =>
  queries
    .selectFrom("api_keys")
    .innerJoin("organizations", "organizations.id", "api_keys.organization_id")
    .selectAll("organizations")
    .select(["api_keys.scope", "api_keys.id as key_id"])
    .where("api_keys.organization_id", "=", 0)
    .where("api_keys.hash", "=", "")
    .compile(),
);

/** The organization that a key opens, as it is now, which door, and the key's id; undefined when the key was deleted or never made. */
export async function findOrganizationOfKey(
  queries: Queries,
  key: ApiKey,
): Promise<{ organization: Organization; scope: KeyScope; keyId: number } | undefined> {
  const [row] = await selectOrganizationOfKey(queries, [key.organizationId, hashOf(key.text)]);
  return row && { organization: toOrganization(row), scope: row.scope, keyId: row.key_id };
}

/** Notes in which hour keys were used, unless it is known to be that one or a later one. */
export async function recordKeyUse(
  queries: Queries,
  organizationId: number,
  { ids, hour }: { ids: readonly number[]; hour: number },
): Promise<void> {
  for (const some of chunks(ids)) {
    await queries
      .updateTable("api_keys")
      .set({ last_used_at: hour })
      .where("organization_id", "=", organizationId)
      .where("id", "in", some)
      .where((where) => where.or([where("last_used_at", "is", null), where("last_used_at", "<", hour)]))
      .execute();
  }
}

/** The next request with the key is refused. Returns whether there was such a key. */
export async function deleteApiKey(queries: Queries, organizationId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await queries
    .deleteFrom("api_keys")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** 190 random bits cannot be guessed, so no slow hash is needed; and a hash in an index leaks nothing by its timing. */
function hashOf(text: string): string {
  return hash("sha256", text);
}
